#!/usr/bin/env bash
# Installs the client library of a build into a fresh prefix and builds the example game server against it, as a
# stranger would. Usage: tests/client_package.sh BUILD_DIR   (repath_client must be built there)
set -euo pipefail

build=$(realpath "${1:?usage: tests/client_package.sh BUILD_DIR}")
source=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --component client --prefix "$work/prefix" >"$work/log"
if [ -e "$work/prefix/include/repath/internal" ]; then
  echo "internal headers were installed" >&2
  exit 1
fi
# A copy outside the project: nothing of the source tree may be found by accident.
cp -r "$source/client/example" "$work/example"
cmake -G Ninja -S "$work/example" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
test -x "$work/build/repath-example"
echo "the example builds against the installed package"
