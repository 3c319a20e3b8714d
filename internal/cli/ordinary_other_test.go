//go:build !linux

package cli_test

// ordinary is for systems that have no capabilities to give up; scripts that need
// it are skipped there.
func ordinary() {}
