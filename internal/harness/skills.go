package harness

// Skills is where a harness that reads Agent Skills looks for them.
type Skills struct {
	Name    string
	Program string // the program on PATH
	Home    string // its folder in the user's home, which is there once it has run
	Var     string // the variable that puts that folder elsewhere; "" for none
	// Project is its folder in a project where it reads skills from its own folders
	// alone; "" where it reads .agents/skills, of the home folder and the project.
	Project string
	Notes   []string // what else a user of skills has to know of it
}
