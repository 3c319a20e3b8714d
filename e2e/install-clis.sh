#!/bin/sh
# Installs the agent CLIs that package.json pins into .build/clis of this
# repository, and does nothing when that very set is there already. npm uses
# the registry that this machine is set up for: the lock file names none.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
target=$(dirname "$here")/.build/clis
stamp=$target/installed

if cat "$here/package.json" "$here/package-lock.json" | cmp -s - "$stamp"; then
	exit 0
fi
command -v npm >/dev/null || {
	echo "the end-to-end tests need npm (Node 20 or newer) to install the agent CLIs" >&2
	exit 1
}
mkdir -p "$target"
rm -f "$stamp"
cp "$here/package.json" "$here/package-lock.json" "$target/"
npm ci --prefix "$target" --no-audit --no-fund --loglevel=error >&2
cat "$here/package.json" "$here/package-lock.json" >"$stamp"
