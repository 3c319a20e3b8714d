//go:build unix

package transcript

import "syscall"

// openFlags make opening a FIFO return at once and keep a terminal from
// becoming ours.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
