// Command checkrein stops coding-agent sessions that run away, and test-drives
// agents on your own repository.
package main

import (
	"context"
	"os"
	"time"

	"checkrein/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ, Now: time.Now, Arg0: os.Args[0],
	}))
}
