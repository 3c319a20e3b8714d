//go:build unix && !linux

package setup

import "errors"

// sharesBlocks is true for systems whose copies are not known to be seen.
func sharesBlocks(_, _ string) bool { return true }

func isOpaque(string) bool { return false }

func makeOpaque(string) error { return errors.ErrUnsupported }
