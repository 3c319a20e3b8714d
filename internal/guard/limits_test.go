package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func variables(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

type values = map[string]string

// Rules that let more pass where they are on are the user's alone.
func TestAProjectSwitchesOnNothingThatLetsMorePass(t *testing.T) {
	keys := []string{"typed_words", "changing_failures", "judge_polls"}
	for i, rule := range []Rule{TypedWords, ChangingFailures, JudgePolls} {
		set := func(text string) SettingsFile { return SettingsFile{"/x", values{keys[i]: text}} }
		if l, _ := Merge(variables(nil), set("false"), set("true")); l.On(rule) {
			t.Errorf("%s: the user's off is overruled", keys[i])
		}
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name               string
		env, user, project values
		want               Limits
	}{
		{"nothing set", nil, nil, nil, Defaults()},
		{"the user's file", nil, values{"spend_cap_usd": "20", "warn_at": "0.5", "loop_repeats": "4", "failure_streak": "9"}, nil, four(20, 0.5, 4, 9)},
		{"the environment wins", values{"RUNAWAY_GUARD_CAP_USD": "30"}, values{"spend_cap_usd": "20"}, nil, four(30, 0.8, 3, 5)},
		{
			"every variable",
			values{
				"RUNAWAY_GUARD_CAP_USD": "1.5", "RUNAWAY_GUARD_WARN_AT": "1", "RUNAWAY_GUARD_LOOP_REPEATS": "2",
				"RUNAWAY_GUARD_FAILURE_STREAK": "1",
			},
			nil, nil,
			four(1.5, 1, 2, 1),
		},
		{
			"zeros turn wires off", nil,
			values{"spend_cap_usd": "0", "loop_repeats": "0", "failure_streak": "0"},
			nil,
			four(0, 0.8, 0, 0),
		},
		{
			"a project tightens", nil,
			values{"spend_cap_usd": "20", "warn_at": "0.9"},
			values{"spend_cap_usd": "5", "warn_at": "0.5", "loop_repeats": "2", "failure_streak": "2"},
			four(5, 0.5, 2, 2),
		},
		{
			"a project never loosens the user's", nil,
			values{"spend_cap_usd": "5", "warn_at": "0.5", "loop_repeats": "3", "failure_streak": "4"},
			values{"spend_cap_usd": "50", "warn_at": "0.9", "loop_repeats": "30", "failure_streak": "40"},
			four(5, 0.5, 3, 4),
		},
		{
			"nor the defaults", nil, nil,
			values{"spend_cap_usd": "50", "warn_at": "0.9", "loop_repeats": "30", "failure_streak": "40"},
			Defaults(),
		},
		{
			"zeros of a project switch nothing off", nil, nil,
			values{"spend_cap_usd": "0", "warn_at": "0", "loop_repeats": "0", "failure_streak": "0"},
			Defaults(),
		},
		{
			"nor what the environment sets",
			values{"RUNAWAY_GUARD_CAP_USD": "4"},
			nil,
			values{"spend_cap_usd": "0"},
			four(4, 0.8, 3, 5),
		},
		{
			"a project switches on what the user has off", nil,
			values{"spend_cap_usd": "0", "loop_repeats": "0", "failure_streak": "0"},
			values{"spend_cap_usd": "5", "loop_repeats": "9", "failure_streak": "9"},
			four(5, 0.8, 9, 9),
		},
		{"a bad variable falls to the user's file", values{"RUNAWAY_GUARD_CAP_USD": "ten"}, values{"spend_cap_usd": "20"}, nil, four(20, 0.8, 3, 5)},
		{"a bad value falls to the default", nil, values{"spend_cap_usd": "-1", "warn_at": "1.01", "loop_repeats": "1", "failure_streak": "2.5"}, nil, Defaults()},
		{"a bad value of a project is ignored", nil, nil, values{"spend_cap_usd": "-5", "loop_repeats": "1", "failure_streak": "0.5"}, Defaults()},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := Merge(variables(c.env), SettingsFile{"/user", c.user}, SettingsFile{"/project", c.project})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("limits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMergeTellsWhereALimitComesFrom(t *testing.T) {
	_, got := Merge(variables(values{"RUNAWAY_GUARD_CAP_USD": "9", "RUNAWAY_GUARD_WARN_AT": "none"}),
		SettingsFile{"/user", values{"loop_repeats": "4", "spend_cap_usd": "1"}},
		SettingsFile{"/project", values{"failure_streak": "2", "loop_repeats": "5"}})
	want := Sources{
		SpendCapUSD: Source{FromEnvironment, "RUNAWAY_GUARD_CAP_USD"}, WarnAt: Source{Kind: FromDefault},
		LoopRepeats: Source{FromUser, "/user"}, FailureStreak: Source{FromProject, "/project"},
	}
	for i := range want.Rules {
		want.Rules[i] = Source{Kind: FromDefault}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestParseSetting(t *testing.T) {
	bad := [...][]string{
		{"", "x", "-0.01", "NaN", "inf", "-Inf", "1e999", "10$", "1,5", "0x", "true"},
		{"", "0", "-0.5", "1.0001", "2", "NaN"},
		{"", "1", "-2", "2.5", "1e10", "NaN", "3x"},
		{"", "-1", "0.5", "1e10", "NaN"},
	}
	good := [...]map[string]float64{
		{"0": 0, "0.0": 0, "10": 10, " 7.5\n": 7.5, "1e2": 100, ".5": 0.5},
		{"1": 1, "0.8": 0.8, "0.0001": 0.0001},
		{"0": 0, "2": 2, "3.0": 3, "1e1": 10, "1000": 1000},
		{"0": 0, "1": 1, "5.0": 5},
	}
	for i, s := range Settings()[:known] {
		for _, text := range bad[i] {
			if n, ok := s.ParseSetting(text); ok {
				t.Errorf("%s: %q is taken for %v", s.Key, text, n)
			}
		}
		for text, want := range good[i] {
			if n, ok := s.ParseSetting(text); !ok || n != want {
				t.Errorf("%s: %q is %v, %t; want %v", s.Key, text, n, ok, want)
			}
		}
	}
}

func TestARuleIsTurnedOffByZeroOrFalse(t *testing.T) {
	for _, s := range Settings()[known:] {
		for text, want := range map[string]float64{"0": 0, "false": 0, " False\n": 0, "off": 0, "no": 0} {
			if n, ok := s.ParseSetting(text); !ok || n != want {
				t.Errorf("%s: %q is %v, %t", s.Key, text, n, ok)
			}
		}
		for _, text := range []string{"", "x", "-1", "NaN", "inf", "1e999"} {
			if n, ok := s.ParseSetting(text); ok {
				t.Errorf("%s: %q is taken for %v", s.Key, text, n)
			}
		}
		if n, ok := s.ParseSetting("true"); ok != (s.Usual != 0) || ok && n != s.Usual {
			t.Errorf("%s: true is %v, %t; want the usual %v", s.Key, n, ok, s.Usual)
		}
	}
}

func TestAProjectTurnsNoRuleOff(t *testing.T) {
	off, user := values{}, values{}
	for _, s := range Settings() {
		off[s.Key] = "0"
	}
	if got, _ := Merge(variables(nil), SettingsFile{}, SettingsFile{"/project", off}); got != Defaults() {
		t.Errorf("%+v", got)
	}
	user["end_turn"], user["fanout_stop"] = "0", "100"
	got, from := Merge(variables(nil), SettingsFile{"/user", user}, SettingsFile{"/project", values{"end_turn": "true", "fanout_stop": "5"}})
	if !got.On(EndTurn) || got.Times(FanoutStop) != 5 || from.Rules[EndTurn].Kind != FromProject {
		t.Errorf("a project tightens: %+v", got)
	}
}

func TestTheReferencesRulesLeaveOutOurs(t *testing.T) {
	env := variables(values{"RUNAWAY_GUARD_RULES": "reference", "RUNAWAY_GUARD_END_TURN": "1", "RUNAWAY_GUARD_CAP_USD": "3"})
	got, _ := Merge(env, SettingsFile{"/user", values{"loop_cycles": "3"}}, SettingsFile{"/project", values{"day_cap_usd": "3"}})
	if want := (Limits{SpendCapUSD: 3, WarnAt: 0.8, LoopRepeats: 3, FailureStreak: 5}); got != want {
		t.Errorf("%+v", got)
	}
}

// four are limits with the usual ones of all rules that the Python guard lacks.
func four(usd, warnAt float64, repeats, streak int) Limits {
	l := Defaults()
	l.SpendCapUSD, l.WarnAt, l.LoopRepeats, l.FailureStreak = usd, warnAt, repeats, streak
	return l
}
