#!/usr/bin/env bash
# clang-tidy (see .clang-tidy) over the C++ of server/ and client/, or over the files named; needs build/dev configured.
# Each finding is one line on stdout; exit status 1 if there is any. About four seconds a file and core.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || mapfile -t files < <(git ls-files 'server/*.cc' 'client/*.cc' ':!client/example')
[ $# -eq 0 ] || files=("$@")
found=$(mktemp)
trap 'rm -f "$found"' EXIT
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet 2>/dev/null >"$found" || true
findings=$(sed -n "s|^$PWD/||p" "$found" | grep -E ': (error|warning): ' | sort -u || true)
broken=$(grep -E '^error: ' "$found" || true)
[ -z "$findings$broken" ] || printf '%s\n' "$findings" "$broken"
echo "${#files[@]} files, $(printf '%s' "$findings$broken" | grep -c . || true) findings"
[ -z "$findings$broken" ]
