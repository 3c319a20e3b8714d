//go:build !checkrein_panic

package hook

// sabotage does nothing in this program. The tests that prove that nothing
// which goes wrong in the hook blocks a call build one where it does harm.
func sabotage(func(string) string) {}
