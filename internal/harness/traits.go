package harness

// Traits are what one harness is known by from outside: the protection looks for
// them in commands and edits, since an agent could loosen the guard by another one,
// and package caller looks for them around this program.
type Traits struct {
	Label    string   // in sentences; "" for one whose processes are not told apart from others
	Programs []string // its command line, which could be handed the user's words
	Marks    []string // variables that it sets for the commands it runs, and users never do
	Packages []string // parts of the paths where its program or script lies, whatever that is called
	Settings []string // the files that hold its hooks, as FOLDER/NAME, wherever the folder lies
	Switches []string // words that turn all hooks off in such a file
	Patchers []string // programs that take a patch as text
}
