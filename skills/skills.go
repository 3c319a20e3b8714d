// Package skills holds the text of the agent skills that come with checkrein,
// in the Agent Skills format: one folder a skill, with a SKILL.md and the pages
// it refers to. The Claude Code plugin has links to the same folders.
//
// It is data of the binary and costs nothing until it is read.
package skills

import "embed"

// Files is the skills by folder: runaway-guard/SKILL.md and so on.
//
//go:embed runaway-guard harness-test-drive
var Files embed.FS
