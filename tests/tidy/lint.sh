#!/usr/bin/env bash
# clang-tidy (see .clang-tidy) over the C++ of server/ and client/, or over the given files. It
# reads each source by itself. So it has a separate build directory without unity builds, which
# contains only the generated protocol. It prints one line for each finding; exit status 1 if there
# is any. Takes about four seconds for each file and core.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || mapfile -t files < <(git ls-files 'server/*.cc' 'client/*.cc' ':!client/example')
[ $# -eq 0 ] || files=("$@")
{ cmake --preset dev -B build/lint -DCMAKE_UNITY_BUILD=OFF && cmake --build build/lint --target repath_proto repath_bare_proto; } >/dev/null
found=$(mktemp)
trap 'rm -f "$found"' EXIT
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/lint --quiet 2>/dev/null >"$found" || true
findings=$(sed -n "s|^$PWD/||p" "$found" | grep -E ': (error|warning): ' | sort -u || true)
broken=$(grep -E '^error: ' "$found" || true)
[ -z "$findings$broken" ] || printf '%s\n' "$findings" "$broken"
echo "${#files[@]} files, $(printf '%s' "$findings$broken" | grep -c . || true) findings"
[ -z "$findings$broken" ]
