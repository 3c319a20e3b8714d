package harness

// Traits are what one harness is known by where an agent would loosen the guard:
// the protection looks for them in commands and edits.
type Traits struct {
	Programs []string // its command line, which could be handed the user's words
	Settings []string // the files that hold its hooks, as FOLDER/NAME, wherever the folder lies
	Switches []string // words that turn all hooks off in such a file
	Patchers []string // programs that take a patch as text
}
