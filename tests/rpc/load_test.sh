#!/usr/bin/env bash
# `repath load` against a real server: every scenario for a moment, in a small world. The test
# asserts no times.
# Usage: tests/rpc/load_test.sh BIN_DIR   (repathd and repath must be there)
set -uo pipefail

bin=$(realpath "${1:?usage: tests/rpc/load_test.sh BIN_DIR}")
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
export REPATH_SERVER="unix:$work/socket"
"$bin/repathd" --listen "$REPATH_SERVER" --admin 127.0.0.1:0 >"$work/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$work"' EXIT
# answers SERVER: waits until the server answers, at most ten seconds.
answers() {
  for _ in $(seq 100); do
    "$bin/repath" --server "$1" world list >/dev/null 2>&1 && break
    sleep 0.1
  done
}
answers "$REPATH_SERVER"
# get URL: prints the body; fails unless the status is 200.
get() {
  python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=5).read().decode())' "$1" 2>/dev/null
}

passed=0
failed=0
# verdict NAME STATUS: the last command passed if STATUS is 0.
verdict() {
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1"
    cat "$work/out" "$work/err" | cut -c -1500
  fi
}
# load STATUS ARGUMENTS...: runs `repath load ARGUMENTS` and expects this exit status.
load() {
  local status=$1
  shift
  "$bin/repath" load "$@" >"$work/out" 2>"$work/err"
  local got=$?
  [ "$got" -eq "$status" ]
  verdict "repath load $* (status $got, wanted $status)" $?
}
# holds EXPRESSION: checks the JSON object `d` that the last run printed as its only line.
holds() {
  python3 - "$work/out" "$1" <<'PYTHON' 2>>"$work/err"
import json
import sys
lines = open(sys.argv[1]).read().splitlines()
d = json.loads(lines[0])
keys = ['scenario', 'events', 'invalidated_ms', 'replanned_ms', 'staleness_ms', 'frames', 'frames_over_budget', 'verified',
        'wrong', 'errors', 'server_cpu_cores', 'server_rss_mb', 'seed', 'series']
spreads = ['invalidated_ms', 'replanned_ms', 'staleness_ms']
whole = len(lines) == 1 and all(key in d for key in keys) and all(
    share in d[spread] for spread in spreads for share in ('p50', 'p90', 'p99', 'p999', 'max'))
sys.exit(0 if whole and eval(sys.argv[2]) else 1)
PYTHON
  verdict "$1" $?
}

brief=(--duration 2 --warm-up 0.5 --json)
load 0 tower-defence --side 96 --agents 200 --sessions 2 --obstacles 40 --verify 50 "${brief[@]}"
holds 'd["events"] == 100 and d["errors"] == 0 and d["verified"] > 0 and d["wrong"] == 0 and d["positions"] > 0'
holds 'd["server_rss_mb"] > 1 and d["server_cpu_cores"] is not None and d["verdicts_by_type"]["INVALIDATED"] > 0'
load 0 rts --side 96 --agents 60 --goals 6 --verify 100 --report-all "${brief[@]}"
holds 'd["events"] == 40 and d["errors"] == 0 and d["wrong"] == 0 and d["positions"] >= 60 * 100'
load 0 mmo --side 72 --worlds 3 --agents 10 --goals 10 --events 5 --verify 100 "${brief[@]}"
holds 'd["worlds"] == 3 and d["events"] == 30 and d["errors"] == 0 and d["wrong"] == 0'
load 0 mmo --side 72 --worlds 3 --agents 10 --goals 10 --events 5 --slow-worlds 1 --slow-load 4 "${brief[@]}"
holds 'd["slow_worlds"] == 1 and d["staleness_ms"]["count"] == 20 and d["slow_staleness_ms"]["count"] > 20 and d["errors"] == 0'
load 0 navmesh --side 64 --agents 30 --goals 30 --obstacles 40 --verify 100 "${brief[@]}"
holds 'd["kind"] == "navmesh" and d["errors"] == 0 and d["verified"] > 0 and d["wrong"] == 0 and d["replanned_ms"]["count"] > 0'
load 0 storm --side 96 --agents 60 --goals 60 --storm-events 100 --storm-seconds 1 --verify 20 "${brief[@]}"
holds 'd["events"] == 100 and d["errors"] == 0 and d["wrong"] == 0 and d["calm_after_s"] >= 0'
load 0 queries --side 96 --queries 100 "${brief[@]}"
holds 'd["queries"] == 200 and d["short_query_ms"]["count"] == 100 and d["long_query_ms"]["count"] == 100 and d["errors"] == 0'
load 0 sessions --side 96 --agents 40 --goals 40 --sessions 20 "${brief[@]}"
holds 'd["sessions"] == 20 and d["errors"] == 0 and d["staleness_ms"]["count"] >= 20 * d["events"]'
load 0 slow-reader --side 96 --agents 40 --goals 40 --sessions 10 "${brief[@]}"
holds 'd["errors"] == 0 and d["slow_staleness_ms"]["count"] == d["events"]'

# Other kinds of ground.
load 0 rts --map "$source/tests/data/maps/rooms_128.map" --agents 40 --goals 4 --verify 100 "${brief[@]}"
holds 'd["width"] == 128 and d["wrong"] == 0 and d["errors"] == 0'
load 0 navmesh --map "$source/tests/data/meshes/courtyard.mesh" --agents 20 --goals 20 --obstacles 10 "${brief[@]}"
holds 'd["kind"] == "navmesh" and d["errors"] == 0'
load 0 rts --map "$source/deploy/maps/streets.json" --agents 20 --goals 20 --speed 100 "${brief[@]}"
holds 'd["kind"] == "graph" and d["errors"] == 0'
load 0 queries --map "$source/deploy/maps/house.json" --queries 50 "${brief[@]}"
holds 'd["query_ms"]["count"] == 100'

# Output for people, and objectives.
small=(rts --side 64 --agents 20 --goals 20 --duration 2 --warm-up 0.5)
load 0 "${small[@]}" --json --report "$work/a.html" --csv "$work/a.csv" --objective 'errors==0' --objective 'events>=1'
holds 'd["objectives_met"] and len(d["objectives"]) == 2'
cp "$work/out" "$work/a.json"
[ "$(grep -c '<svg' "$work/a.html")" -ge 5 ] && grep -q 'All objectives met' "$work/a.html" && ! grep -q 'http' "$work/a.html"
verdict 'the page has its plots and needs nothing else' $?
head -1 "$work/a.csv" | grep -q '^at_s,events,' && [ "$(wc -l <"$work/a.csv")" -ge 3 ]
verdict 'the CSV has its lines' $?
load 1 "${small[@]}" --json --objective 'replanned_ms.p99<0'
holds 'not d["objectives_met"]'
cp "$work/out" "$work/b.json"
load 1 "${small[@]}" --objective 'no_such_key<=1'
grep -q 'objective no_such_key<=1.*MISSED' "$work/out"
verdict 'a missed objective is told' $?
load 0 compare "$work/a.json" "$work/b.json"
grep -q 'replanned_ms.p99' "$work/out"
verdict 'two runs are compared' $?
load 0 compare "$work/a.json" "$work/b.json" --json
python3 -c 'import json, sys; sys.exit(json.loads(open(sys.argv[1]).read())["results"][0]["key"] != "invalidated_ms.p50")' "$work/out"
verdict 'a comparison is JSON, too' $?

# Impossible options.
load 2 rts --agents 0
load 2 rts --objective 'replanned_ms.p99'
load 2 rts --map "$work/missing.map"
load 2 rts --map "$work"
load 2 compare "$work/a.json" "$work"
load 2 no-such-scenario
load 2 compare "$work/a.json" "$work/a.csv"
load 3 rts --map "$work/a.csv" --duration 1
"$bin/repath" world list --json | grep -q '"worlds":\[\]'
verdict 'no world is left behind' $?

# A server that is asked to end in the middle of a storm: its streams get the reason, and it ends
# before its deadline.
"$bin/repathd" --listen "unix:$work/second" --admin 127.0.0.1:0 --drain-timeout-ms 5000 >"$work/second.log" 2>&1 &
second=$!
answers "unix:$work/second"
"$bin/repath" --server "unix:$work/second" load storm --side 192 --agents 400 --goals 400 --warm-up 1 --duration 60 >"$work/out" 2>"$work/err" &
run=$!
for _ in $(seq 300); do
  admin=$(grep -o 'admin=[0-9.:]*' "$work/second.log" | cut -d= -f2)
  get "http://$admin/metrics" | grep -q 'type="INVALIDATED"} [1-9]' && break
  sleep 0.1
done
get "http://$admin/readyz" >/dev/null
verdict 'a server under load is ready' $?
world=$("$bin/repath" --server "unix:$work/second" world list --json | grep -o 'load-storm[^"]*')
"$bin/repath" --server "unix:$work/second" agent watch "$world" --for 60 >"$work/watch" 2>&1 &
watch=$!
for _ in $(seq 100); do
  [ -s "$work/watch" ] && break
  sleep 0.1
done
kill -TERM "$second"
(sleep 20 && kill -9 "$second") 2>/dev/null &
deadline=$!
wait "$second"
verdict "it ends with 0 (status $?) before its deadline" $?
kill "$deadline" 2>/dev/null
! get "http://$admin/readyz" >/dev/null
verdict 'a server that ends is not ready' $?
wait "$run"
[ $? -eq 3 ]
verdict 'the run ends with 3' $?
wait "$watch"
[ $? -eq 3 ] && grep -q 'DRAINING: the server is shutting down' "$work/watch"
verdict 'who watches is told that the server ends' $?

# The server ends while a run is in progress, and stays away.
"$bin/repath" load rts --side 64 --agents 20 --goals 20 --duration 60 >"$work/out" 2>"$work/err" &
run=$!
for _ in $(seq 100); do
  "$bin/repath" world list 2>/dev/null | grep -q load-rts && break
  sleep 0.1
done
sleep 1
kill -9 "$server"
wait "$run"
[ $? -eq 3 ]
verdict 'a server that goes ends the run with 3' $?
load 3 storm --agents 10 --goals 10 --duration 20
load 3 queries --duration 1

echo "$passed checks passed, $failed failed"
[ "$failed" -eq 0 ]
