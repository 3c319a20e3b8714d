//go:build !race

package proc

var raceEnv []string
