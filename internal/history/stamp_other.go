//go:build !unix

package history

import "io/fs"

// inode is not to be had here; size and time must do.
func inode(fs.FileInfo) uint64 { return 0 }
