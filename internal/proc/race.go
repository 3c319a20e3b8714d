//go:build race

package proc

// raceEnv spares a supervisor the second that a program with the race detector in it
// sleeps at its end, once for each command of the tests. Races are found all the same.
var raceEnv = []string{"GORACE=atexit_sleep_ms=0"}
