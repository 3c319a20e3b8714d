package trial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

func TestSigns(t *testing.T) {
	places := trial.Places{Own: []string{"/tmp/checkrein-copy-a", "/repo"}, Foreign: []string{"/home/dev/my app", "/home/dev/app", "/"}}
	for _, tt := range []struct {
		name string
		use  harness.ToolUse
		want []trial.Sign
	}{
		{"its own copy", harness.ToolUse{Command: "cat /repo/a /tmp/checkrein-copy-a/checkrein-copy-b/x; cd /usr/lib"}, nil},
		{"the user's repository", harness.ToolUse{Command: "cp /home/dev/app/src.py ."}, []trial.Sign{{trial.Outside, "cp /home/dev/app/src.py ."}}},
		{"at the end of quotes", harness.ToolUse{Command: `ls "/home/dev/my app"`}, []trial.Sign{{trial.Outside, `ls "/home/dev/my app"`}}},
		{"another folder of that start", harness.ToolUse{Command: "ls /home/dev/apple /x/home/dev/app"}, nil},
		{"a link of the shell", harness.ToolUse{Command: "cd $OLDPWD"}, []trial.Sign{{trial.Outside, "cd $OLDPWD"}}},
		{"our folder", harness.ToolUse{Tool: "Read", Paths: []string{".harness-test-drive/tasks.json"}}, []trial.Sign{{trial.Outside, "Read: .harness-test-drive/tasks.json"}}},
		{"a way up", harness.ToolUse{Tool: "Read", Paths: []string{"/repo/../etc"}}, []trial.Sign{{trial.Outside, "Read: /repo/../etc"}}},
		{"up and down again", harness.ToolUse{Tool: "Read", Paths: []string{"/repo/src/../a"}}, nil},
		{"another copy", harness.ToolUse{Command: "ls /tmp/checkrein-copy-z"}, []trial.Sign{{trial.Outside, "ls /tmp/checkrein-copy-z"}}},
		{"the network", harness.ToolUse{Command: "git clone https://example.test/r"}, []trial.Sign{{trial.Network, "git clone https://example.test/r"}}},
		{"the web", harness.ToolUse{Tool: "WebSearch", Web: true, Asked: "fix"}, []trial.Sign{{trial.WebTool, "WebSearch: fix"}}},
		{"the web, without words", harness.ToolUse{Tool: "web_search", Web: true}, []trial.Sign{{trial.WebTool, "web_search"}}},
		{"a tool that is not one of the web's", harness.ToolUse{Tool: "Read", Paths: []string{"https://example.test"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := trial.Signs{Places: places, Show: strings.TrimSpace}
			s.Use(tt.use)
			s.Use(tt.use)
			if diff := cmp.Diff(tt.want, s.List); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSignsAreBounded(t *testing.T) {
	s := trial.Signs{Show: strings.ToUpper}
	for i := range 1000 {
		s.Add(trial.EditedTest, fmt.Sprint("t", i))
	}
	if len(s.List) != 50 || s.List[49].What != "T49" {
		t.Errorf("%d signs, the last %+v", len(s.List), s.List[len(s.List)-1])
	}
}

// Records without signs stay as they were.
func TestRecordsWithoutSigns(t *testing.T) {
	r := trial.ReadRecords([]byte(`{"task":"a","harness":"b","put_back":["x: y"],"signs":[{"kind":"network","what":"curl"}]}` + "\n"))
	if len(r) != 1 || len(r[0].PutBack) != 1 || !cmp.Equal(r[0].Signs, []trial.Sign{{Kind: trial.Network, What: "curl"}}) {
		t.Errorf("read %+v", r)
	}
}
