package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness/registry"
	"checkrein/internal/hook"
	"checkrein/internal/price"
	"checkrein/internal/replay"
	"checkrein/internal/state"
)

// stop is where a rule steps in first.
type stop struct {
	rule string
	call int
	ends int // the call at which the turn ends; 0 for never
}

func getenv(home string) func(string) string {
	return func(name string) string {
		switch name {
		case "HOME":
			return home
		case "CLAUDE_CODE_SESSION_ATTENDED":
			return "1"
		}
		return os.Getenv("LOOPS_" + name) // for a test with other limits
	}
}

// replayed is what internal/replay says of all sessions below a home folder.
func replayed(home string) ([]replay.Played, error) {
	off := 0.0
	r, err := replay.Run(context.Background(), replay.Options{
		Getenv: getenv(home), Home: home, StateDir: state.Open(getenv(home)).Dir, CapUSD: &off, Zone: time.UTC,
		Prices: func() *price.Table { return state.Open(getenv(home)).Prices(func(error) {}) },
	})
	if err != nil {
		return nil, err
	}
	return r.Played, errors.Join(r.Errs...)
}

func stopsOf(p replay.Played) (list []stop) {
	for _, s := range p.Stops {
		list = append(list, stop{s.Rule, s.Call, s.EndCall})
	}
	return list
}

// hooked plays a story through the hook, call by call.
type hooked struct {
	home    string
	harness string
	stage   *stage
	id      string
	stops   []stop
	said    []string
	err     error
}

func (h *hooked) ask(number int, in map[string]any) {
	raw, err := json.Marshal(in)
	h.err = errors.Join(h.err, err)
	var out bytes.Buffer
	hook.Run([]string{"--harness", h.harness}, bytes.NewReader(raw), &out, hook.Env{
		Getenv: getenv(h.home), Now: func() time.Time { return h.stage.now }, Program: "checkrein", Harnesses: registry.Traits(),
	})
	if out.Len() > 0 {
		h.said = append(h.said, fmt.Sprintf("%s %s: the hook says at call %d: %s", h.harness, h.id, number, out.Bytes()))
		h.answer(number, out.Bytes())
	}
}

func (h *hooked) answer(number int, out []byte) {
	var a struct {
		Continue *bool `json:"continue"`
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	h.err = errors.Join(h.err, json.Unmarshal(out, &a))
	ends := a.Continue != nil && !*a.Continue
	if a.Specific.Decision == "" && !ends {
		return // a message
	}
	s, _, err := state.Open(getenv(h.home)).Load(h.id)
	if err != nil || s == nil || len(s.Trips) == 0 {
		h.err = errors.Join(h.err, err, fmt.Errorf("call %d was stopped without a trace", number))
		return
	}
	h.note(s.Trips[len(s.Trips)-1], number, ends)
}

func (h *hooked) note(t guard.Trip, number int, ends bool) {
	i := slices.IndexFunc(h.stops, func(s stop) bool { return s.rule == t.Setting() })
	if i < 0 {
		i = len(h.stops)
		h.stops = append(h.stops, stop{rule: t.Setting(), call: number})
	}
	if ends && h.stops[i].ends == 0 {
		h.stops[i].ends = number
	}
}

// playBoth writes a loop's session in one harness's form and plays it both ways.
func playBoth(work, harness string, n int, l loop) (byReplay, byHook []stop, err error) {
	home := filepath.Join(work, fmt.Sprintf("planted-%d-%s", n, harness))
	s := newStage(home, fmt.Sprintf("planted-%d", n), startOf())
	h := &hooked{home: home, harness: harness, stage: s, id: s.id}
	if err := s.tell(l.story, s.form(harness), h.ask); err != nil {
		return nil, nil, err
	}
	played, err := replayed(home)
	if err != nil || len(played) != 1 {
		return nil, nil, errors.Join(err, h.err, fmt.Errorf("%d sessions were played", len(played)))
	}
	if log, _ := os.ReadFile(filepath.Join(state.Open(getenv(home)).Dir, "errors.log")); len(log) > 0 {
		return nil, nil, fmt.Errorf("the hook failed: %s", strings.TrimSpace(string(log)))
	}
	return stopsOf(played[0]), h.stops, h.err
}
