//go:build !race

package drive_test

const underRace = false
