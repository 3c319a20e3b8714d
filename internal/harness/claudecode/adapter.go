package claudecode

import "checkrein/internal/harness"

// Adapter is this harness as the guard sees it.
func Adapter() harness.Adapter {
	return harness.Adapter{
		Name: Name, Asks: true, Forks: true,
		NewCall: NewCall, Files: Files, Prepare: Prepare, NewReader: NewReader,
		NewDetailedReader: NewDetailedReader, Answer: Answer, Alone: Alone, Level: Level,
	}
}
