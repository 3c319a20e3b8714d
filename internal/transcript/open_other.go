//go:build !unix

package transcript

// openFlags: nothing is needed where FIFOs are not files.
const openFlags = 0
