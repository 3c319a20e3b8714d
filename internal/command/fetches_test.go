package command_test

import (
	"testing"

	"checkrein/internal/command"
)

func TestFetches(t *testing.T) {
	for text, want := range map[string]bool{
		"curl https://example.test/x":                    true,
		"curl -sSL -o out.txt example.test/x":            true,
		"/bin/bash -lc 'wget -q http://example.test/a'":  true,
		"cd x && git clone https://example.test/r.git":   true,
		"git -C /tmp fetch origin":                       true,
		"git pull":                                       true,
		"git remote add up https://example.test":         true,
		"gh pr view 12":                                  true,
		"U=http://example.test; curl $U":                 true,
		"curl \"$URL\"":                                  true,
		"echo $(curl example.test)":                      true,
		"curl http://127.0.0.1@example.test/":            true,
		"scp host.test:/a .":                             true,
		"curl 'unclosed":                                 true,
		"curl -s http://localhost:8080/health":           false,
		"curl -H 'Host: a.b' http://127.0.0.1:3000/x":    false,
		"curl http://[::1]:80/":                          false,
		"curl --unix-socket /run/x http://example.test/": false,
		"curl 127.0.0.1.example.test/x":                  true,
		"curl localhost:3000":                            false,
		"curl --version":                                 false,
		"git status && git log":                          false,
		"git remote -v":                                  false,
		"gh --version":                                   false,
		"echo 'curl https://example.test'":               false,
		"grep -rn curl src":                              false,
		"python3 -m http.server":                         false,
		"npm install":                                    false,
		"":                                               false,
	} {
		if got := command.Fetches(text); got != want {
			t.Errorf("Fetches(%q) = %v", text, got)
		}
	}
}
