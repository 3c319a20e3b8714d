#!/bin/sh
# Measures the first half of the test drive against the Python reference, both in
# one run: reading a history, fresh copies, checking candidates side by side, and a
# setup command that takes SETUP_SECONDS (20).
#
#   REFERENCE=<folder with mine_tasks.py and common.py> bench/drive_ratios.sh [history|copies|checks|setup ...]
#
# Times are wall times of what the disk and the other work of the machine allow:
# look at the ratios, and run it on an idle machine. Needs git, python3 and go.
#
# The file system of the work folder, which is printed, decides about copies. On
# ext4 without a journal the kernel passes over the inodes that were deleted within
# the last minutes, so after other tests have deleted some, making a file takes 10
# to 20 times longer, for both programs, and the ratio drowns in it. Measured for a
# copy of 3,000 files: 3.2 s there; on a fresh ext4 with a journal 0.14 s (12 times
# faster than the reference's 1.64 to 1.68 s), on tmpfs 0.08 s (20 times). So the
# work folder is in /dev/shm where that is a tmpfs with 2 GB free, unless TMPDIR
# names a place.
set -eu
cd "$(dirname "$0")/.."
: "${REFERENCE:?the folder with the reference scripts}"
kind() { stat -f -c %T "$1" 2>/dev/null || echo unknown; }
room() { df -Pk "$1" | awk 'NR == 2 { print $4 }'; }
if [ -z "${TMPDIR:-}" ] && [ "$(kind /dev/shm)" = tmpfs ] && [ "$(room /dev/shm)" -ge 2097152 ]; then
	TMPDIR=/dev/shm
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/ratios.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$work" # copies of both programs are made there, too
echo "work folder: $work, on $(kind "$work")"
go build -o "$work/checkrein" ./cmd/checkrein
go test -c -o "$work/repo.test" ./internal/repo

# now prints seconds with fractions.
now() { date +%s.%N; }
took() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 0.001) }'; }

# history N FILES LINES: a repository of N commits on FILES files of about LINES lines.
history() {
	git init -q -b main "$4"
	awk -v n="$1" -v files="$2" -v lines="$3" 'BEGIN {
		srand(7); start = systime() - 300 * 86400
		for (f = 0; f < files; f++) for (l = 0; l < lines; l++) text[f] = text[f] "line " l " of file " f " says " int(rand() * 1e9) "\n"
		for (c = 0; c < n; c++) {
			msg = "Change " c
			printf "commit refs/heads/main\ncommitter D <d@localhost> %d +0000\ndata %d\n%s\n", start + c * 600, length(msg), msg
			k = c ? 1 + int(rand() * 4) : files
			for (i = 0; i < k; i++) {
				f = c ? int(rand() * files) : i
				at = int(rand() * length(text[f])); cut = index(substr(text[f], at), "\n") + at
				text[f] = substr(text[f], 1, cut - 1) "added by " c "\n" substr(text[f], cut)
				if (i && f in done) continue
				done[f] = 1
				path = f % 3 ? "src/pkg" f % 60 "/mod" f ".py" : "tests/pkg" f % 60 "/test_m" f ".py"
				printf "M 100644 inline %s\ndata %d\n%s\n", path, length(text[f]), text[f]
			}
			delete done
		}
	}' | git -C "$4" fast-import --quiet
	git -C "$4" repack -adfq --depth=50 --window=10
	git -C "$4" checkout -q main
}

bench_history() {
	for lines in 8 150; do
		repo=$work/history-$lines
		history 20000 1000 $lines "$repo"
		at=$(now); python3 "$REFERENCE/mine_tasks.py" --repo "$repo" --test-cmd true --tasks "$work/ref/t.json" >/dev/null 2>&1; ref=$(took "$at")
		rm -rf "$work/ours"
		at=$(now); "$work/checkrein" drive mine --repo "$repo" --test-cmd true --tasks "$work/ours/t.json" >/dev/null 2>&1; first=$(took "$at")
		at=$(now); "$work/checkrein" drive mine --repo "$repo" --test-cmd true --tasks "$work/ours/t.json" >/dev/null 2>&1; again=$(took "$at")
		echo "history, 20000 commits, $lines lines a file: reference $ref s, first $first s ($(ratio "$ref" "$first")x), again $again s ($(ratio "$ref" "$again")x)"
	done
}

bench_copies() {
	repo=$work/copies
	history 1 3000 150 "$repo"
	ref=$(cd "$REFERENCE" && python3 -c '
import sys, time, common
times = []
for _ in range(4):
    at = time.time(); ws = common.make_workspace(sys.argv[1], "HEAD"); times.append(time.time() - at); common.remove_workspace(ws)
print("%.2f" % sorted(times)[1])' "$repo")
	ours=$(CHECKREIN_BENCH_REPO=$repo "$work/repo.test" -test.run '^$' -test.bench '^BenchmarkCopy$' -test.benchtime 4x | awk '/^BenchmarkCopy/ { printf "%.2f", $3 / 1e9 }')
	echo "copies of 3000 files: reference $ref s, second and later $ours s ($(ratio "$ref" "$ours")x)"
}

# bench_checks: 10 candidates whose tests take a second of sleep and a little work.
bench_checks() {
	repo=$work/checks
	git init -q -b main "$repo"
	for i in 0 1 2 3 4 5 6 7 8 9 10; do
		mkdir -p "$repo/src" "$repo/tests"
		echo "V=$i" >"$repo/src/m$i.sh"
		echo "test -e src/m$i.sh" >"$repo/tests/m${i}_test.rb"
		git -C "$repo" add -A
		git -C "$repo" -c user.name=D -c user.email=d@localhost commit -q -m "Change $i"
	done
	cmd='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.3; for t in tests/*; do sh $t || exit 1; done'
	at=$(now); python3 "$REFERENCE/mine_tasks.py" --repo "$repo" --test-cmd "$cmd" --validate --tasks "$work/ref/c.json" >/dev/null 2>&1; ref=$(took "$at")
	for jobs in 1 2; do
		at=$(now); "$work/checkrein" drive mine --repo "$repo" --test-cmd "$cmd" --validate --jobs $jobs --tasks "$work/ours/c.json" >/dev/null 2>&1; ours=$(took "$at")
		echo "checking 10 candidates: reference $ref s, --jobs $jobs $ours s ($(ratio "$ref" "$ours")x)"
	done
}

# bench_setup: 12 candidates of a Node repository whose setup takes its time and writes
# 500 files. The numbers that a user would see: HEAD's check is a part of them. Ours is
# measured as the reference does it, and by its defaults.
bench_setup() {
	seconds=${SETUP_SECONDS:-20}
	repo=$work/setup
	git init -q -b main "$repo"
	mkdir -p "$repo/src" "$repo/test"
	echo node_modules >"$repo/.gitignore"
	echo '{"name":"generated","version":"1.0.0","scripts":{"test":"node --test"},"dependencies":{"dep0":"1.0.0"}}' >"$repo/package.json"
	echo '{"name":"generated","version":"1.0.0","lockfileVersion":3,"packages":{}}' >"$repo/package-lock.json"
	modules='0 1 2 3 4 5 6 7 8 9 10 11 12'
	for i in $modules; do echo "exports.value = () => require('dep$i') - $i;" >"$repo/src/m$i.js"; done
	for i in $modules; do
		echo "exports.value = () => require('dep$i') + $i;" >"$repo/src/m$i.js"
		cat >"$repo/test/m$i.test.js" <<-END
			const test = require('node:test'), assert = require('node:assert');
			test('m$i', () => assert.equal(require('../src/m$i').value(), $((2 * i))));
		END
		git -C "$repo" add -A
		git -C "$repo" -c user.name=D -c user.email=d@localhost commit -q -m "Change $i"
	done
	cmd="sleep $seconds; i=0; while [ \$i -lt 250 ]; do mkdir -p node_modules/dep\$i && echo \"module.exports = \$i;\" >node_modules/dep\$i/index.js && echo '{}' >node_modules/dep\$i/package.json; i=\$((i+1)); done"
	at=$(now); python3 "$REFERENCE/mine_tasks.py" --repo "$repo" --setup-cmd "$cmd" --validate --max 12 --tasks "$work/ref/s.json" >/dev/null 2>&1; ref=$(took "$at")
	for flags in '--grading suite --seal off' '--grading suite' ''; do
		rm -rf "$work/ours-setup"
		# shellcheck disable=SC2086 # several flags, or none
		at=$(now); "$work/checkrein" drive mine --repo "$repo" --setup-cmd "$cmd" --validate --max 12 --jobs 2 $flags --tasks "$work/ours-setup/s.json" >/dev/null 2>&1; ours=$(took "$at")
		echo "checking 12 candidates with a setup of $seconds s: reference $ref s, --jobs 2 $flags $ours s ($(ratio "$ref" "$ours")x); kept $(kept "$work/ref/s.json"), $(kept "$work/ours-setup/s.json")"
	done
}

# kept counts the tasks of a file.
kept() { grep -c '"validated": *true' "$1"; }

for what in ${*:-history copies checks setup}; do "bench_$what"; done
