//go:build checkrein_panic

package hook

import (
	"os"
	"runtime/debug"
	"time"
)

// sabotage breaks the hook the way CHECKREIN_SABOTAGE says, with the session's
// lock held. Most of these ways end a Go program with status 2, which blocks.
func sabotage(getenv func(string) string) {
	switch getenv("CHECKREIN_SABOTAGE") {
	case "panic":
		panic("on purpose")
	case "goroutine":
		go func() { panic("on purpose, in a goroutine") }()
		time.Sleep(time.Minute)
	case "overflow":
		debug.SetMaxStack(1 << 20)
		overflow(0)
	case "map":
		writeTogether()
	case "exit":
		os.Exit(2)
	case "kill":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		time.Sleep(time.Minute)
	}
}

func overflow(n int) int { return overflow(n+1) + 1 }

func writeTogether() {
	m := map[int]int{}
	for range 4 {
		go func() {
			for n := 0; ; n++ {
				m[n%8] = n
			}
		}()
	}
	time.Sleep(time.Minute)
}
