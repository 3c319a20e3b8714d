//go:build !linux

package drive_test

func ordinary() {}
