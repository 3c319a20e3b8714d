package harness

// Hooks is how hooks get into a harness's settings: where those lie, what stands in
// them, and what somebody who installs or checks hooks has to know.
type Hooks struct {
	Name    string
	Program string // the program on PATH
	Folder  string // of a project's settings

	// User is the settings file of all the user's sessions, Project a project's that
	// its team does not share.
	User    func(getenv func(string) string, home string) string
	Project func(project string) string
	// Shared are a project's other settings files, as paths in it.
	Shared []string

	// Events are those to register, given the version as the program says it ("" when
	// it says nothing) and what an earlier install has registered.
	Events    func(version string, registered func(event string) bool) []string
	Versioned bool // they depend on the version
	// Timeout is the time-out to register, in seconds.
	Timeout func(event string, usual int) int
	// Notes is what somebody who installs the hook has to know.
	Notes func(Installing) []string

	Switch  string // the setting that turns every hook off; "" for none
	Plugins string // the setting that lists plugins, one of which brings our hook; "" for none
	ByPlace bool   // a hook runs once the user trusts it, by its text and its place in a list
	Shows   string // what its list of hooks, /hooks, tells of one

	Archive func() Archive
}

// Installing is an install of hooks that is planned.
type Installing struct {
	User       bool                    // for all sessions, not a project's
	Registered func(event string) bool // once it is made
	Stops      bool                    // a wire is on that would ask or end the turn
	Status     string                  // the command that shows a session's counts
}
