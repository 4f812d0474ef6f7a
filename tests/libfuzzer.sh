#!/usr/bin/env bash
# Lets libFuzzer look for inputs that readers of bytes from outside do not bear. Builds the preset `fuzz` and runs its
# targets, two at a time. A target is a test of tests/fuzz that feeds a reader.
#
#   tests/libfuzzer.sh             all targets
#   tests/libfuzzer.sh PATTERN     those that grep -E finds, such as world_fuzz or 'grid_fuzz/Fuzz\.MapText'
#
# REPATH_FUZZ_SECONDS sets how long each target runs (default 60). Inputs that reach new code are kept in
# build/fuzz/corpus, where the next run finds them. One line for each target: edges of the program that were reached, and
# inputs that were read; of a failed one the path of the input. The exit status is 0 if no target failed.
set -euo pipefail
# shellcheck source=deploy/lib.sh
. "$(dirname "$0")/../deploy/lib.sh"
cd "$top"
export REPATH_FUZZ_SECONDS=${REPATH_FUZZ_SECONDS:-60} UBSAN_OPTIONS=print_stacktrace=1
export logs bin=$top/build/fuzz/bin corpus=$top/build/fuzz/corpus
# See tests/run.sh.
fixed_addresses=
setarch -R true 2>/dev/null && fixed_addresses='setarch -R'
export fixed_addresses

# Prints the names of all targets: world_fuzz/Fuzz.MapText
targets() {
  local program
  for program in "$bin"/*_fuzz; do
    "$program" --gtest_list_tests |
      awk -v program="${program##*/}" '/^[^ ]/ && /\.$/ { suite = $1 } /^  / { print program "/" suite $1 }'
  done
}

# run_target NAME: prints the target's line. A test that feeds no reader has a line only if it fails.
run_target() {
  local program=${1%%/*} log=$logs/libfuzzer-${1//\//-}.log edges inputs found
  # shellcheck disable=SC2086 # a command of two words, or of none
  if REPATH_FUZZ_CORPUS=$corpus/$program $fixed_addresses "$bin/$program" --gtest_filter="${1#*/}" >"$log" 2>&1; then
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    [ -z "$inputs" ] || printf 'ok     %-44s %7s edges %9s inputs\n' "$1" "$edges" "$inputs"
  else
    found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    printf 'not ok %-44s %s\n' "$1" "${found:-$log}"
  fi
}
export -f run_target

build() { configure fuzz && cmake --build build/fuzz --target fuzzers; }
build >"$logs/libfuzzer-build.log" 2>&1 || {
  echo "not ok build $logs/libfuzzer-build.log"
  exit 1
}
mkdir -p "$corpus"
report=$(targets | grep -E "${1:-.}" | xargs -P 2 -I{} bash -c 'run_target {}' | tee /dev/stderr)
! grep -q '^not ok' <<<"$report"
