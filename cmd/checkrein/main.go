// Command checkrein stops coding-agent sessions that run away, and test-drives agents on your own repository.
package main

func main() {}
