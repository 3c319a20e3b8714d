package task

import "testing"

func TestRequest(t *testing.T) {
	tests := []struct{ message, subject, body string }{
		{"Fix it", "Fix it", ""},
		{"Fix it (#123)\n\n* Look\n\n* Leap\n\n---------\n\nCo-authored-by: A <a@b>\n", "Fix it", "* Look\n\n* Leap"},
		{"Fix it (#1) (!22)", "Fix it", ""},
		{"Fix it (pull request #7)", "Fix it", ""},
		{"Fix f(#1)", "Fix f(#1)", ""},
		{"Fix it (#x)", "Fix it (#x)", ""},
		{"Fix it (like #12)", "Fix it (like #12)", ""},
		{"(#12)", "(#12)", ""},
		{"Fix it\n\nWhy.\n\nSee merge request a/b!12", "Fix it", "Why."},
		{"Fix it\n\nSigned-off-by: A\n\n---------\n\nCo-authored-by: B <b@c>", "Fix it", ""},
		{"Fix it\n\n---------\n\nWhy.", "Fix it", "---------\n\nWhy."},
	}
	for _, tt := range tests {
		if subject, body := Request(tt.message); subject != tt.subject || body != tt.body {
			t.Errorf("%q: %q, %q; want %q, %q", tt.message, subject, body, tt.subject, tt.body)
		}
	}
}

// TestMergeRequest has the shapes that forges write.
func TestMergeRequest(t *testing.T) {
	parts := []string{"Test it", "Fix the sum (#3)\n\nWhy."}
	const listed = "- Fix the sum\n- Test it"
	tests := []struct{ name, message, subject, body string }{
		{"GitHub", "Merge pull request #12 from x/y\n\nAdd sums", "Add sums", ""},
		{"GitHub with a text", "Merge pull request #12 from x/y\n\nAdd sums (#11)\n\nFor all.\n\nCo-authored-by: A <a@b>", "Add sums", "For all."},
		{"GitHub without a title", "Merge pull request #12 from x/y", "Fix the sum", listed},
		{"GitLab", "Merge branch 'x' into 'main'\n\nAdd sums\n\nCloses #3\n\nSee merge request a/b!12", "Add sums", "Closes #3"},
		{"Bitbucket", "Merged in feature/x (pull request #12)\n\nAdd sums\n\nApproved-by: A", "Add sums", ""},
		{"Bitbucket Server", "Merge pull request #12 in P/r from x to main\n\n* commit 'abc':\n  Add sums", "Fix the sum", listed},
		{"Azure", "Merged PR 12: Add sums\n\nFor all.\n\nRelated work items: #3", "Add sums", "For all."},
		{"Gitea", "Merge pull request 'Add \"the\" sums (#9)' (#12) from x/y into main\n\nReviewed-on: http://localhost", `Add "the" sums`, ""},
		{"Gerrit", `Merge "Add sums" into stable`, "Add sums", ""},
		{"bors", "Merge #12\n\n12: Add sums: all r=a a=b\n\nFor all.", "Add sums: all", "For all."},
		{"homu", "Auto merge of #12 - x:y, r=z\n\nAdd sums\n\nFor all.", "Add sums", "For all."},
		{"git", "Merge branch 'x'", "Fix the sum", listed},
		{"git with a log", "Merge branch 'x'\n\n* x:\n  Fix the sum\n  Test it", "Fix the sum", listed},
		{"git after conflicts", "Merge branch 'x'\n\n# Conflicts:\n#\ta.py", "Fix the sum", listed},
		{"GitHub, a title with its kind", "Merge pull request #12 from x/y\n\nfix: add sums", "fix: add sums", ""},
		{"GitHub, a title with its package", "Merge pull request #12 from x/y\n\nstore: add sums\n\nFor all.\n\nCo-authored-by: A <a@b>", "store: add sums", "For all."},
		{"GitLab, a title with its kind", "Merge branch 'x' into 'main'\n\nfix: add sums\n\nSee merge request a/b!12", "fix: add sums", ""},
		{"git, signed off", "Merge branch 'x'\n\nSigned-off-by: A <a@b>", "Fix the sum", listed},
		{"git, with an issue", "Merge branch 'x'\n\nFixes: #12", "Fix the sum", listed},
		{"by hand", "Add sums (#12)\n\nFor all.", "Add sums", "For all."},
	}
	for _, tt := range tests {
		if subject, body := MergeRequest(tt.message, parts); subject != tt.subject || body != tt.body {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, subject, body, tt.subject, tt.body)
		}
	}
	if subject, body := MergeRequest("Merge branch 'x'", parts[1:]); subject != "Fix the sum" || body != "Why." {
		t.Errorf("of one commit: %q, %q", subject, body)
	}
	if subject, body := MergeRequest("Merge branch 'x'", nil); subject != "" || body != "" {
		t.Errorf("of nothing: %q, %q", subject, body)
	}
}

func FuzzMergeRequest(f *testing.F) {
	f.Add("Merge \"a")
	f.Add("Merge #1\n\n1: a r=b")
	f.Fuzz(func(t *testing.T, message string) {
		subject, body := MergeRequest(message, []string{message})
		if subject != strip(subject) || body != strip(body) {
			t.Errorf("%q: %q, %q", message, subject, body)
		}
	})
}
