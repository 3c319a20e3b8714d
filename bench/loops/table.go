package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// errMissed marks what the page must not say.
var errMissed = errors.New("the rules and the table differ")

// prove plays everything and writes the page. faults are what must not be.
func prove(work, root string) (page string, faults []error, err error) {
	var b strings.Builder
	b.WriteString(head)
	recorded, err := recordings(work, root)
	if err != nil {
		return "", nil, err
	}
	faults = append(faults, writeQuiet(&b, recorded)...)
	b.WriteString(ordinaryHead)
	for _, harness := range harnesses() {
		o, err := playOrdinary(work, harness)
		if err != nil {
			return "", nil, err
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", label(harness), o.sessions, o.calls, len(o.stops), o.asked)
		for _, s := range o.stops {
			faults = append(faults, errors.New(s))
		}
	}
	b.WriteString(habitsText())
	more, err := writePlanted(&b, work)
	return b.String(), append(faults, more...), err
}

func harnesses() []string { return []string{"claude-code", "codex"} }

func label(harness string) string {
	return map[string]string{"claude-code": "Claude Code", "codex": "Codex"}[harness]
}

func writeQuiet(b *strings.Builder, recorded []recording) (faults []error) {
	b.WriteString(recordedHead)
	expected := looping()
	for _, r := range recorded {
		var found []string
		for _, s := range r.stops {
			found = append(found, fmt.Sprintf("%s at call %d", s.rule, s.call))
		}
		text, loops := strings.Join(found, ", "), expected[r.name]
		if text == "" {
			text = "nothing"
		}
		if (loops.stops == "") != (text == "nothing") || loops.stops != "" && loops.stops != text {
			faults = append(faults, fmt.Errorf("%s: %s, want %q", r.name, text, loops.stops))
		}
		if loops.what != "" {
			text += ": " + loops.what
		}
		fmt.Fprintf(b, "| %s | %d | %s |\n", r.name, r.calls, text)
	}
	return faults
}

func habitsText() string {
	var b strings.Builder
	b.WriteString("\nTheir work is made of pieces that look a little like loops:\n\n")
	for _, h := range habits() {
		fmt.Fprintf(&b, "- %s\n", h.name)
	}
	return b.String()
}

func writePlanted(b *strings.Builder, work string) (faults []error, err error) {
	b.WriteString(plantedHead)
	for n, l := range planted() {
		cells := map[string]string{}
		for _, harness := range harnesses() {
			if l.only != "" && l.only != harness {
				cells[harness] = "not asked"
				continue
			}
			byReplay, byHook, err := playBoth(work, harness, n, l)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", l.name, harness, err)
			}
			if !reflect.DeepEqual(byReplay, byHook) {
				faults = append(faults, fmt.Errorf("%s, %s: the replay says %v and the hook %v", l.name, harness, byReplay, byHook))
			}
			text, fault := l.judge(byReplay, harness)
			cells[harness] = text
			if fault != nil {
				faults = append(faults, fmt.Errorf("%s: %w", harness, fault))
			}
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s | %s |\n", l.name, l.rule, l.limit, cells["claude-code"], cells["codex"])
	}
	return faults, nil
}

// judge says at which call of the loop it was stopped, and whether that is right.
func (l loop) judge(stops []stop, harness string) (text string, fault error) {
	if len(stops) == 0 {
		return "missed", fmt.Errorf("%s: missed", l.name)
	}
	s := stops[0]
	text = fmt.Sprint(s.call - warmUp)
	if s.ends > 0 {
		text += fmt.Sprintf(", turn ended at %d", s.ends-warmUp)
	}
	if s.rule != l.rule {
		text += " (" + s.rule + ")"
	}
	if s.rule != l.ruleIn(harness) || s.call-warmUp > l.limit || len(stops) > 1 {
		fault = fmt.Errorf("%s: %v, want %s by call %d: %w", l.name, stops, l.rule, l.limit, errMissed)
	}
	return text, fault
}

// startOf is when made-up sessions begin.
func startOf() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

const head = `# Loops: what the rules stop, and what they leave alone

This page is made by ` + "`go run ./bench/loops`" + `, and a test makes it again and compares. Every session on it is a
transcript as Claude Code or Codex writes it, played through the rules with their usual limits and without a spend cap.
`

const recordedHead = `
## Recorded sessions

Written by the real CLIs against a scripted model server: the folders below ` + "`internal/harness/*/testdata`" + `. Most
are quiet. Five have a loop in their script, which must be found.

| Recording | Calls | Stopped by |
|---|---|---|
`

const ordinaryHead = `
## Ordinary work

Made up with a fixed seed. Some of these sessions also go through the hook, call by call, which must not say a word.

| Form | Sessions | Calls | Stops by any rule | Calls through the hook, without a word |
|---|---|---|---|---|
`

const plantedHead = `
## Planted loops

Each has a little ordinary work before it; calls are counted from the first one of the loop. The limit is the call at
which it must be stopped at the latest. Each is also played through the hook itself, call by call, while its transcript
grows: both stop at the same calls. "Turn ended" is where Claude Code's turn ends; Codex has no way to end a turn, so
its calls stay blocked. "Not asked": Codex asks no hook about a call that is none, and has none for the end of a batch.
T numbers are those of cases that users reported.

| Loop | Rule | Limit | Claude Code | Codex |
|---|---|---|---|---|
`
