package proc

import (
	"path/filepath"
	"slices"
	"strings"
)

// idName is the variable that marks every process of one run.
const idName = "CHECKREIN_RUN"

// Kind tells whom an environment is for.
type Kind uint8

// Whom an environment is for. All get the base list and the tools' variables.
const (
	Tests Kind = iota + 1 // test commands
	Agent                 // a coding agent; its credentials are named by the caller
	Setup                 // setup commands: the environment of tests, but they download
)

// Env picks from environ (entries "NAME=value") what a command of this kind may
// see: the base list, what build tools and package managers need, proxies and
// certificates, and the names in extra ("X_*" means every name that starts with
// "X_"). Whatever else the user has set stays out: credentials, handles to the
// session that started us, and every GIT_* variable.
//
// No value that names a folder in hide (the user's repository) is passed on, not
// even for a name in extra; from lists such as PATH only the entries that do are
// taken out.
func Env(kind Kind, extra, hide, environ []string) []string {
	var out []string
	hide = besideHome(hide, value(environ, "HOME"))
	for _, entry := range environ {
		name, val, ok := strings.Cut(entry, "=")
		if !ok || !allowed(kind, name, extra) {
			continue
		}
		if val, ok = without(hide, val); ok {
			out = append(out, name+"="+val)
		}
	}
	return out
}

func allowed(kind Kind, name string, extra []string) bool {
	switch {
	case slices.Contains(extra, name):
		return true
	case session(name), strings.HasPrefix(name, "GIT_"):
		return false
	case matches(name, extra):
		return true
	}
	return base(name) || network(name) || tool(name) && (toolCredential(name) || !credential(name))
}

// session tells whether a variable is a handle to the agent session that
// started us: a command could reach the user's live session with it.
func session(name string) bool {
	switch name {
	case "CLAUDECODE", "AI_AGENT", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION",
		"CLAUDE_CODE_BRIDGE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_HOST_SESSION_ID", "CLAUDE_CODE_EXECPATH",
		"CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_AGENT_SDK_VERSION",
		"CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH", "CLAUDE_CODE_SESSION_ATTENDED":
		return true
	}
	return strings.HasPrefix(name, "CODEX_SANDBOX")
}

// base is what every program may expect.
func base(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "NO_COLOR", "TZ", "LANG", "LANGUAGE",
		"TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// network is how programs here reach the world: proxies and certificates.
func network(name string) bool {
	switch strings.ToUpper(name) {
	case "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "NO_PROXY",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA",
		"NIX_SSL_CERT_FILE", "PIP_CERT", "CARGO_HTTP_CAINFO":
		return true
	}
	return false
}

// tool is what toolchains and package managers need to find their homes, caches
// and sources.
func tool(name string) bool {
	switch name {
	case "CC", "CXX", "CPP", "AR", "LD", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH",
		"LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
		"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE",
		"GOFLAGS", "GOTOOLCHAIN", "GOEXPERIMENT", "GOENV", "GO111MODULE", "GOOS", "GOARCH", "GOAMD64", "GOARM",
		"RUSTFLAGS", "RUSTC_WRAPPER", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_DIST_SERVER", "RUSTUP_UPDATE_ROOT",
		"NVM_DIR", "FNM_DIR", "FNM_MULTISHELL_PATH", "VOLTA_HOME", "BUN_INSTALL", "DENO_DIR", "PNPM_HOME", "NODE_OPTIONS", "NODE_VERSION",
		"PYTHONUTF8", "PYTHONIOENCODING", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYENV_ROOT", "PYENV_VERSION",
		"CONDA_EXE", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "MAMBA_EXE", "MAMBA_ROOT_PREFIX", "WORKON_HOME",
		"JAVA_HOME", "JDK_HOME", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "M2_HOME", "MAVEN_HOME", "MAVEN_OPTS", "GRADLE_HOME", "GRADLE_USER_HOME",
		"GRADLE_OPTS", "SDKMAN_DIR", "KOTLIN_HOME", "SCALA_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT",
		"GEM_HOME", "GEM_PATH", "RBENV_ROOT", "RBENV_VERSION", "RUBY_VERSION", "RUBYOPT", "rvm_path",
		"COMPOSER_HOME", "COMPOSER_CACHE_DIR", "HEX_HOME", "MIX_HOME", "OPAMROOT", "OPAMSWITCH", "STACK_ROOT", "CABAL_DIR", "GHCUP_INSTALL_BASE_PREFIX",
		"ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CACHE_DIR", "HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY",
		"NIX_PATH", "NIX_PROFILES", "CCACHE_DIR", "SCCACHE_DIR", "VCPKG_ROOT", "CMAKE_PREFIX_PATH",
		"PLAYWRIGHT_BROWSERS_PATH", "CYPRESS_CACHE_FOLDER", "PUPPETEER_CACHE_DIR", "PUPPETEER_EXECUTABLE_PATH", "CHROME_BIN":
		return true
	}
	return matches(name, []string{
		"npm_config_*", "NPM_CONFIG_*", "YARN_*", "COREPACK_*", "PIP_*", "UV_*", "POETRY_*", "PIPENV_*",
		"CARGO_*", "CGO_*", "BUNDLE_*", "DOTNET_*", "NUGET_*",
	})
}

// toolCredential names the settings that hold a credential because the tool
// can't reach its source without.
func toolCredential(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "npm_config_") || lower == "pip_index_url" || lower == "pip_extra_index_url" ||
		lower == "uv_index_url" || lower == "uv_default_index" || lower == "uv_index"
}

// credential tells whether a name says that its value is a secret.
func credential(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "API_KEY", "APIKEY", "PRIVATE_KEY"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}

// matches compares a name with exact names and "X_*" patterns.
func matches(name string, patterns []string) bool {
	for _, p := range patterns {
		if prefix, ok := strings.CutSuffix(p, "*"); ok && strings.HasPrefix(name, prefix) || p == name {
			return true
		}
	}
	return false
}

// without takes the entries that name a hidden folder out of a value. It
// returns false when nothing is left, or when the value isn't a list.
func without(hide []string, val string) (string, bool) {
	if !names(hide, val) {
		return val, true
	}
	var kept []string
	for _, entry := range filepath.SplitList(val) {
		if !names(hide, entry) {
			kept = append(kept, entry)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator)), len(kept) > 0
}

// names tells whether text holds the path of a hidden folder, as a whole path
// component: /home/me/app hides /home/me/app/bin but not /home/me/apples.
func names(hide []string, text string) bool {
	for _, dir := range hide {
		for rest := text; dir != "" && dir != "/"; {
			at := strings.Index(rest, dir)
			if at < 0 {
				break
			}
			rest = rest[at+len(dir):]
			if rest == "" || !wordByte(rest[0]) {
				return true
			}
		}
	}
	return false
}

// besideHome leaves out folders that hold the user's home (a repository of dot
// files): with HOME hidden nothing would run.
func besideHome(hide []string, home string) []string {
	return slices.DeleteFunc(slices.Clone(hide), func(dir string) bool {
		return home == dir || strings.HasPrefix(home, strings.TrimSuffix(dir, "/")+"/")
	})
}

func wordByte(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

func value(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if val, ok := strings.CutPrefix(entry, name+"="); ok {
			return val
		}
	}
	return ""
}

func dropNames(env []string, drop ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(drop, name)
	})
}
