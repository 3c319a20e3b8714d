// Package e2e runs the real agent CLIs, in the versions that package.json pins,
// against a scripted model server: under the guard, installed by its own command,
// and in a test drive, on tasks mined from a repository that the test makes.
//
// The tests need the build tag e2e (go test -tags e2e ./e2e/...) and npm the
// first time, when they install the CLIs into .build/clis. They fail, and never
// skip, when a CLI is not to be had. Each case has a HOME, a repository and a
// state folder of its own, and no CLI gets anything from the caller's
// environment but where programs are. No model, account or key is involved.
//
// Where an agent runs the tests, they start once more as an orphan, because the
// guard refuses an agent what only a user may do.
//
// CHECKREIN_E2E_BINARY names a binary to test in place of one built from here.
// CHECKREIN_E2E_ENV adds variables to every program's environment: with
// RUNAWAY_GUARD_END_TURN=0 the cases of that rule must fail.
package e2e
