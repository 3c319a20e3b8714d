package proc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnv(t *testing.T) {
	environ := []string{
		"HOME=/home/me", "PATH=/usr/bin:/home/me/app/node_modules/.bin:/bin", "LANG=C.UTF-8", "LC_ALL=C", "TERM=xterm", "TMPDIR=/tmp",
		"PWD=/home/me/app", "OLDPWD=/home/me/app/src", "INIT_CWD=/home/me/app", "VIRTUAL_ENV=/home/me/app/.venv",
		"GIT_DIR=/home/me/app/.git", "GIT_INDEX_FILE=x", "GIT_AUTHOR_NAME=me", "GIT_CONFIG_GLOBAL=/dev/null",
		"AWS_SECRET_ACCESS_KEY=1", "GITHUB_TOKEN=1", "GH_TOKEN=1", "SSH_AUTH_SOCK=/tmp/agent", "ANTHROPIC_API_KEY=1", "OPENAI_API_KEY=1", "NPM_TOKEN=1",
		"CARGO_REGISTRY_TOKEN=1", "UV_PUBLISH_TOKEN=1", "BUNDLE_RUBYGEMS__PKG__GITHUB__COM=me:pass", "POETRY_HTTP_BASIC_X_PASSWORD=1", "TWINE_PASSWORD=1",
		"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=1", "CODEX_SANDBOX_NETWORK_DISABLED=1", "CLAUDE_CODE_OAUTH_TOKEN=1",
		"GOPROXY=https://proxy", "GOFLAGS=-mod=mod", "CARGO_HOME=/c", "npm_config_registry=https://r", "npm_config_local_prefix=/home/me/app",
		"npm_config_//r/:_authToken=1", "PIP_INDEX_URL=https://me:pass@r", "JAVA_HOME=/j", "NODE_OPTIONS=--require /home/me/app/x.js", "UV_CACHE_DIR=/u",
		"HTTPS_PROXY=http://p", "no_proxy=x", "SSL_CERT_FILE=/s", "PYTHONPATH=/home/me/app/src", "MY_VAR=1", "MY_OTHER=/home/me/app", "MYX=1", "broken",
		"XDG_CACHE_HOME=/home/me/apples", "GEM_PATH=/home/me/app/gems:/g",
	}
	hide := []string{"/home/me/app", "/"}
	tests := []struct {
		name  string
		kind  Kind
		extra []string
		want  []string // besides the names that all get
	}{
		{"tests", Tests, nil, nil},
		{"agent", Agent, []string{"ANTHROPIC_API_KEY", "CLAUDE_CODE_*", "GIT_*"}, []string{"ANTHROPIC_API_KEY=1", "CLAUDE_CODE_OAUTH_TOKEN=1"}},
		{"named", Tests, []string{"MY_VAR", "MY_OTHER", "GIT_AUTHOR_NAME", "CLAUDECODE"}, []string{"GIT_AUTHOR_NAME=me", "CLAUDECODE=1", "MY_VAR=1"}},
		{"prefix", Tests, []string{"MY*"}, []string{"MY_VAR=1", "MYX=1"}},
	}
	all := []string{
		"HOME=/home/me", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "LC_ALL=C", "TERM=xterm", "TMPDIR=/tmp", "GOPROXY=https://proxy", "GOFLAGS=-mod=mod",
		"CARGO_HOME=/c", "npm_config_registry=https://r", "npm_config_//r/:_authToken=1", "PIP_INDEX_URL=https://me:pass@r", "JAVA_HOME=/j", "UV_CACHE_DIR=/u",
		"HTTPS_PROXY=http://p", "no_proxy=x", "SSL_CERT_FILE=/s", "XDG_CACHE_HOME=/home/me/apples", "GEM_PATH=/g",
		"BUNDLE_RUBYGEMS__PKG__GITHUB__COM=me:pass",
	}
	for _, tt := range tests {
		want := slices.Sorted(slices.Values(append(slices.Clone(all), tt.want...)))
		got := Env(tt.kind, tt.extra, hide, environ)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if strings.Contains(strings.Join(got, "\n"), "/home/me/app/") {
			t.Errorf("%s: the repository's path is in %q", tt.name, got)
		}
	}
	if got := Env(Tests, nil, []string{"/home/me", "/home/me/"}, environ); !slices.Contains(got, "HOME=/home/me") {
		t.Errorf("a repository in the home folder itself: %q", got)
	}
}
