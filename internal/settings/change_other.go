//go:build !unix

package settings

import "os"

// keepOwner: other systems give a file its folder's owner.
func keepOwner(*os.File, File) error { return nil }

// syncFolder: other systems can't sync a folder.
func syncFolder(string) error { return nil }
