//go:build race

package drive_test

// The race detector makes every process of a trial several times slower, and
// most of what it could see is in the first few trials.
const underRace = true
