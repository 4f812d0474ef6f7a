#!/usr/bin/env bash
# The command line against a real server, used as by a person or a script.
# Usage: tests/rpc/cli_test.sh BIN_DIR   (repathd and repath must be there)
set -uo pipefail

bin=$(realpath "${1:?usage: tests/rpc/cli_test.sh BIN_DIR}")
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
export REPATH_SERVER="unix:$work/socket"
"$bin/repathd" --listen "$REPATH_SERVER" --admin 127.0.0.1:0 >"$work/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
  "$bin/repath" world list >/dev/null 2>&1 && break
  sleep 0.1
done

passed=0
failed=0
# check STATUS PATTERN ARGUMENTS...: runs `repath ARGUMENTS`; expects this exit status and PATTERN
# in the output.
check() {
  local status=$1 pattern=$2
  shift 2
  "$bin/repath" "$@" >"$work/out" 2>"$work/err"
  local got=$?
  if [ "$got" -eq "$status" ] && grep -Eq -- "$pattern" "$work/out" "$work/err"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: repath $* (status $got, wanted $status and \"$pattern\")"
    cat "$work/out" "$work/err"
  fi
}
# settled WORLD: waits until the agents of WORLD wait for no verdict; at most 10 s.
settled() {
  for _ in $(seq 100); do
    "$bin/repath" agent list "$1" | grep -q waiting || break
    sleep 0.1
  done
}
# one_line: the last command printed exactly one line of stdout, a JSON object.
one_line() {
  if [ "$(wc -l <"$work/out")" -eq 1 ] && grep -Eq '^\{.*\}$' "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: not one JSON object on one line:"
    cat "$work/out"
  fi
}

# expect NAME COMMAND...: the command succeeds.
expect() {
  if "${@:2}"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1"
  fi
}

not() { ! "$@"; }

printf '%s\n' '..........' '..........' '####.#####' '..........' '..........' >"$work/square.txt"
printf '%s\r\n' '....' '.##.' '....' >"$work/dos.txt"

check 0 'no worlds' world list
check 0 '"name":"square","kind":"grid","revision":1' world import square "$work/square.txt" --json
one_line
check 0 '4 x 3' world import dos "$work/dos.txt"
check 0 '"worlds":\[\{"name":"dos".*"name":"square"' world list --json
one_line
check 0 'COMPLETE, length 4\.00, OPTIMAL' path find square --from 4,0 --to 4,4
check 0 '"status":"COMPLETE","cost":4\.0.*"waypoints":\[.*"revision":1,"optimality":"OPTIMAL".*"expanded":' \
  path find square --from 4,0 --to 4,4 --algorithm dijkstra --json
one_line
check 0 ' 0,0 1,1 and [0-9]+ more$' path find square --from 0,0 --to 9,4 --max-waypoints 2
check 3 'OUT_OF_RANGE in options.max_waypoints: 100001 is not in \[0, 100000\]' \
  path find square --from 0,0 --to 9,4 --max-waypoints 100001
check 0 'goal 4,4 is the nearest' path nearest square --from 4,0 --to 9,4 --to 4,4
check 0 'COMPLETE: 4,1, 1\.00 away|COMPLETE: 3,1, 1\.00 away' path nearest square --from 3,2
check 0 'COMPLETE: [0-9]+ cells within 3' path reachable square --from 0,0 --cost 3
check 0 '2 turns for 20\.00' path find square --from 0,0 --to 9,4 --turn-penalty 10
check 0 'length 11\.83, OPTIMAL' path find square --from 0,0 --to 9,4 --heuristic chebyshev
check 3 'HEURISTIC_UNSUITED in options.heuristic' path find square --from 0,0 --to 9,4 --heuristic manhattan
check 0 'length 1[01]\.[0-9]+, BOUNDED' path find square --from 0,0 --to 9,4 --smooth straight
check 0 '^  0\.5,0,0\.5 ' path find square --from 0,0 --to 9,4 --smooth straight
check 2 'smooth' path find square --from 0,0 --to 9,4 --smooth very
check 0 '^  ####2#####$' path flow square --to 4,4
check 0 '"directions":\[2,254\]' path flow square --to 4,4 --area 4,3,5,5 --json
check 0 'COMPLETE: 4,3 is 3\.00 away' path away square --from 4,1 --threat 4,0 --distance 3
check 0 '"status":"PARTIAL"' path away square --from 4,1 --threat 4,0 --distance 50 --partial --json
check 0 'S.*start.*G.*goal' path explain square --from 0,0 --to 9,4
check 0 'cells 7,2 to 9,4$' path explain square --from 0,0 --to 9,4 --window 7,2,2000000000,2000000000
check 2 'lies outside the map of 10 x 5 cells' path explain square --from 0,0 --to 9,4 --window 20,20,30,30
check 0 '1 turn|[2-9] turns for' path explain square --from 0,0 --to 9,4 --turn-penalty 1
check 0 '"results":\[\{"cell":\[' path explain square --from 0,0 --to 9,4 --json
one_line
check 0 'NEW_PATH, COMPLETE, length 4\.00' agent add square 7 --from 4,0 --to 4,4
check 0 'NEW_PATH, COMPLETE, length 4\.00' agent add square 8 --from 4,0 --to 4,4 --crowd-penalty 2 --crowd-radius 3
check 3 'crowd.max_detour' agent add square 8 --from 4,0 --to 4,4 --crowd-penalty 2 --crowd-detour 2
check 2 'crowd-penalty' agent add square 8 --from 4,0 --to 4,4 --crowd-radius 3
check 0 'removed 1' agent remove square 8
check 1 'would be cut' world test square --id 1 --block 4,2,5,3 --pair 0,0:9,4
check 1 '"allowed":false.*"cut_off_agents":\[7\]' world test square --id 1 --block 4,2,5,3 --json
check 0 'revision 2: .* 1 agent invalidated' world apply square --id 1 --block 4,2,5,3
check 0 'UNREACHABLE' path find square --from 0,0 --to 9,4
settled square
check 0 'UNREACHABLE' agent watch square --for 0.5
check 0 'revision 3' world apply square --door 1=open
settled square
check 0 'NEW_PATH \(REACHABLE_AGAIN\)' agent watch square --for 0.5
check 0 '"results":\[\{"id":7' agent list square --json
one_line
check 0 '^7 +4,0  4,4 +NEW_PATH  COMPLETE  4.00  ' agent list square
check 0 'agent 7 at 4,1' agent move square 7 --to 4,1
check 0 'revision 2 .*obstacle 1' world watch square --from-revision 2 --count 2
check 0 '"strategy":' stats square --json
one_line
check 0 'removed 1' agent remove square 7
echo '{"upsert_obstacles": [{"id": 9, "cylinder": {"center": {"x": 2, "z": 1}, "radius": 1}, "cost_factor": 3}]}' \
  >"$work/changes.json"
check 0 'revision 4' world apply square --file "$work/changes.json"
check 0 '"events":6,.*"verdict_us":\{"p50":[0-9].*"reached":[1-9]' demo doors --agents 6 --changes 5 --json
one_line
check 0 '"events":[1-9].*"reached":' demo tower-defence --agents 10 --changes 12 --json
one_line

check 3 '^repath: WORLD_UNKNOWN in world: there is no world' world show nowhere
check 3 '"error":\{"code":"NOT_FOUND","reason":"WORLD_UNKNOWN"' world show nowhere --json
one_line
check 0 'revision 1' world create field --width 5 --height 1
check 0 'revision 2' world apply field --influence 0,0:2,0,3,1=64 --influence 0,0:2.5,0.5,0.2=+64
check 0 'length 6.00' path find field --from 0,0 --to 4,0
check 0 'revision 3' world apply field --decay 0,0=0 --stand 7:2,0,3,1
check 0 'UNREACHABLE' path find field --from 0,0 --to 4,0
check 0 'revision 4' world apply field --hide 0:0,0,5,1
check 0 'length 4.00' path find field --from 0,0 --to 4,0
check 0 'revision 5' world apply field --reveal 0:2,0,3,1 --walk-on 7
check 0 'length 4.00' path find field --from 0,0 --to 4,0
check 3 'BODY_UNKNOWN' world apply field --walk-on 7
check 3 'OBSTACLE_UNKNOWN' world apply square --remove 77
check 3 'OUT_OF_MAP' path find square --from 99,0 --to 1,1
check 3 'no server answers' --server "unix:$work/nobody" world list
check 2 'expected a cell X,Y' path find square --from 1,x --to 2,2
check 2 'nothing to change' world apply square
check 3 'OBJ_SYNTAX in chunk' world import m "$work/square.txt" --format obj
check 2 'required' world import

# A mesh of two storeys, and a graph.
maps=$(cd "$(dirname "$0")/../../deploy/maps" && pwd)
check 0 '"name":"house","kind":"navmesh","revision":1' world import house "$maps/house.json" --json
one_line
check 0 'link 1=>' path find house --from 2,0,14 --to 20,4,2
check 0 '"status":"COMPLETE","cost":20.0,.*"optimality":"OPTIMAL"' \
  path find house --from 2,0,2 --to 22,0,2 --json
check 3 'KIND_UNSUITED in from.cell' path find house --from 2,2 --to 3,3
check 3 'KIND_UNSUITED in batch.upsert_obstacles\[0\].cells' world apply house --id 1 --block 1,1,2,2
check 3 'KIND_UNSUITED in batch.upsert_obstacles\[0\].area' world apply square --id 1 --circle 2,1,1 --area 3
check 0 '0 agents would be affected' world test house --id 1 --box 11,1,1.5,40 --cost 2
check 0 'stays connected' world test house --id 1 --box 11,1,1.5,40 --area 3 --pair 2,0,2:22,0,2
check 2 'one of --cost and --area' world test house --id 1 --box 11,1,1.5,40 --cost 2 --area 3
check 0 'NEW_PATH, COMPLETE, length 20.00, OPTIMAL' agent add house 7 --from 2,0,2 --to 22,0,2
check 1 '1 agent would be affected, 1 cut off' world test house --id 1 --box 11,1,1.5,40 --bottom -1 --top 1 \
  --pair 2,0,2:22,0,2
check 0 'stays connected' world test house --id 1 --box 11,1,1.5,1.5 --bottom -1 --top 1 --pair 2,0,2:22,0,2
check 0 '1 agent invalidated' world apply house --id 1 --box 11,1,1.5,1.5 --bottom -1 --top 1
settled house
check 0 '^7 +2,0,2  22,0,2  REPLANNED  COMPLETE  28' agent list house
check 0 'agent 7 at 3,0,2: NEW_PATH, COMPLETE' agent move house 7 --to 3,0,2
check 0 '"cell":null,"position":\[3.0,0.0,2.0\]' agent list house --json
one_line
check 0 'agent 7: COMPLETE, length .*, OPTIMAL' agent list house 7 --paths
check 0 'agent 7  NEW_PATH .OFF_PATH.  at 3,0,2  length' agent watch house --for 0.3
check 0 'COMPLETE: [1-9][0-9]* pieces within 12.00 at revision 2, costs' path reachable house --from 2,0,2 --cost 12
check 0 '"pieces":[1-9].*"results":\[\{"position":\[2.0,0.0,2.0\],"cost":0.0,"previous":-1,"area":0,"corners":\[\[' \
  path reachable house --from 2,0,2 --cost 12 --json
one_line
check 0 'START_BLOCKED at revision' path reachable house --from 11,0,1 --cost 12
check 0 '^COMPLETE: 9\.5,0,1|^COMPLETE: 11,0,2\.5|^COMPLETE: 12\.5,0,1' path nearest house --from 11,0,1
check 0 '"cell":null,"position":\[' path nearest house --from 11,0,1 --json
check 2 'draws cells: "house" is a navmesh' path explain house --from 2,0,2 --to 22,0,2 --window 0,0,5,5
check 0 'revision 3' world apply house --link 1=shut
check 0 'UNREACHABLE' path find house --from 2,0,14 --to 20,4,2
check 3 'LINK_UNKNOWN' world apply house --link 9=shut
check 0 '"kind":"graph"' world import town "$maps/streets.json" --json
# Graphs without edges of their own: corners of obstacles, and waypoints linked by sight.
printf '%s' '{"radius": 0, "holes": [[[4,2],[6,2],[6,8],[4,8]]], "points": [{"position": [0,5]}, {"position": [10,5]}]}' \
  >"$work/corners.json"
check 0 '"kind":"graph"' world import corners "$work/corners.json" --json
check 0 'length 12.00' path find corners --from 0,0,5 --to 10,0,5
check 0 '"kind":"graph"' world import again "$work/corners.json" --format visibility --json
check 3 'JSON_FIELD in chunk' world import m "$work/corners.json" --format sight
printf '%s' '{"link_distance": 9, "map": "...\n.#.\n", "nodes": [{"id": 1, "position": [0.5,0,1.5]},
  {"id": 2, "position": [1.5,0,0.5]}, {"id": 3, "position": [2.5,0,1.5]}]}' >"$work/sight.json"
check 0 '"kind":"graph"' world import sight "$work/sight.json" --json
check 0 'UNREACHABLE' path find sight --from 0.5,0,1.5 --to 2.5,0,1.5
printf '%s' '{"link_distance": 9, "map": "#", "nodes": [{"id": 1, "position": [0.5,0,0.5]}]}' >"$work/blocked.json"
check 3 'NODE_BLOCKED in chunk' world import m "$work/blocked.json"
check 0 '"kind":"navmesh"' world import relaxed "$maps/house.json" --tau 0.4 --json
check 3 'OUT_OF_RANGE in header.plan_tau_radians' world import m "$maps/house.json" --tau 0.6
check 3 'METHOD_UNSUITED in header.plan_tau_radians' world import m "$maps/house.json" --plan delaunay --tau 0.2
check 2 'is for floor plans' world import m "$maps/streets.json" --tau 0.2
check 0 'COMPLETE, length 332.04, OPTIMAL' path find town --from 0,0,0 --to 200,0,150
check 0 '^  nodes 1 [0-9 ]*$' path find town --from 0,0,0 --to 200,0,150
check 0 'COMPLETE: [1-9][0-9]* nodes within 40.00 at revision 1, costs OPTIMAL' \
  path reachable town --from 0,0,0 --cost 40
check 0 '"pieces":[1-9].*"results":\[\{"position":\[-2.1,0.0,-4.2\],"cost":0.0,"previous":-1,"node":1\}' \
  path reachable town --from 0,0,0 --cost 40 --json
one_line
check 3 'KIND_UNSUITED' world apply town --id 1 --box 11,1,1.5,1.5
check 0 'any_angle to 22,0,2: expanded [0-9]*, touched' path explain house --from 2,0,2 --to 22,0,2
check 0 '^events   (CONFIRMED [1-9]+ )?INVALIDATED [1-9]' stats house
check 0 '"searches":.*"kernel":"corridor"' \
  path explain house --from 2,0,2 --to 22,0,2 --algorithm astar --json
one_line
check 0 'COMPLETE: [0-9.]*,0,[0-9.]* is 5.00 away' path away house --from 2,0,2 --threat 1,0,2 --distance 5
check 0 '"status":"PARTIAL","cell":null,"position":\[' \
  path away town --from 0,0,0 --threat 0,0,0 --distance 5000 --partial --json
one_line
check 0 'COMPLETE: [1-9][0-9]* pieces at revision' path flow house --to 22,0,2
check 0 '"pieces":\[\{"position":\[[-0-9.,]*\],"cost":0.0,"next":-1,"node":1\}' path flow town --to 0,0,0 --json
one_line
check 0 'there are more: --first 2' path flow town --to 0,0,0 --max-pieces 2
check 0 ' pieces at revision 1, ' path flow house --to 22,0,2 --at-revision 1
check 0 'UNREACHABLE' path nearest square --from 0,0 --to 9,4 --at-revision 2
check 0 '"cells":2[0-9],.*"revision":2' path reachable square --from 0,0 --cost 40 --at-revision 2 --json
check 0 'dijkstra: expanded' path explain town --from 0,0,0 --to 200,0,150 --algorithm dijkstra
check 3 'ALGORITHM_UNSUITED in options.algorithm' path find town --from 0,0,0 --to 9,0,9 --algorithm jps
check 0 '"wrong":0,"missed_improvements":0,"invalid_paths":0,"unsettled":0' \
  verify --map "$maps/streets.json" --agents 20 --events 40 --json
check 0 '"repairs":[1-9]' verify --map "$maps/streets.json" --agents 20 --events 40 --strategy dstar_lite --json
check 2 'there is no command "repath frobnicate"; give one of: world, path, ' frobnicate
check 2 'there is no command "repath world frobnicate"; give one of: create, ' world frobnicate
check 2 '"error":\{"code":"INVALID_ARGUMENT","reason":"WRONG_USAGE",' world frobnicate --json
one_line
check 2 '`repath path` needs a command, one of: find, ' path
check 2 '`repath world list` has no option "--frob"' world list --frob
check 2 'ID: must not be negative' agent add square -1 --from 0,0 --to 1,1
check 2 '--for' agent watch square --for -1
check 0 '^\{"revision":2,.*\}$' world watch square --from-revision 2 --json --count 2
expect 'a watch prints an object for each change' [ "$(grep -c '^{"revision":[23],.*}$' "$work/out")" -eq 2 ]
check 0 '^\{"revision":.*"waiting":' top square --json --count 1
one_line
check 3 '"error":\{.*WORLD_UNKNOWN' world watch nowhere --json
one_line
check 0 'Example:' world import --help

# A file that cannot be read, or stdout that cannot be written, ends a command with 2.
check 2 "^repath: $work: cannot be read: Is a directory" verify --map "$work"
check 2 "^repath: $work: cannot be read: Is a directory" replay "$work"
check 2 '"error":\{.*cannot be read: Is a directory' replay "$work" --json
one_line
check 2 "FILE: $work: cannot be read: Is a directory" world import folder "$work"
check 2 "TOKEN_FILE: $work: cannot be read: Is a directory" token list "$work"
check 2 "$work/no.pem: cannot be read: No such file" tls check "$work/no.pem" "$work/no.key"
printf 'x\n' >"$work/no.pem"
check 2 "$work/no.key: cannot be read: No such file" tls check "$work/no.pem" "$work/no.key"
check 1 "$work/no.pem: has no certificate in PEM" tls check "$work/no.pem" "$work/no.pem"
"$bin/repath" world import zz - <&- >"$work/out" 2>"$work/err"
expect 'a closed stdin cannot be read' grep -q '^repath: FILE: stdin: cannot be read: Bad file descriptor' "$work/err"
# unwritten ARGUMENTS...: expects 2 and an error where stdout has no space left.
unwritten() {
  "$bin/repath" "$@" >/dev/full 2>"$work/err"
  local got=$?
  if [ "$got" -eq 2 ] && grep -q '^repath: stdout cannot be written' "$work/err"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: repath $* >/dev/full (status $got)"
    cat "$work/err"
  fi
}
unwritten world list
unwritten world list --json
unwritten --help
unwritten path reachable square --from 0,0 --cost 3
unwritten world show square --json
unwritten agent list square
unwritten top square
unwritten world watch square --from-revision 2
# A reader that goes away ends a command quietly, by SIGPIPE.
"$bin/repath" top square 2>"$work/err" | head -1 >"$work/out"
status=${PIPESTATUS[0]}
expect 'a closed pipe ends a command quietly' [ "$status" -eq 141 -a ! -s "$work/err" ]
check 0 'repath 0.' --version

# Exported worlds import as equal ones.
for world in square house town; do
  hash=$("$bin/repath" world show "$world" --json | grep -o '"state_hash":"[0-9a-f]*"')
  check 0 "^$world: .* to .*$world.world, hash" world export "$world" "$work/$world.world"
  check 0 "$hash" world import equal "$work/$world.world" --json
  check 0 deleted world delete equal
  "$bin/repath" world export "$world" - 2>"$work/said" | "$bin/repath" world import piped - --json >"$work/out"
  if grep -q -- "$hash" "$work/out" && grep -q ' to -, hash' "$work/said"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: world export $world - | world import piped -"
    cat "$work/out" "$work/said"
  fi
  check 0 deleted world delete piped
done
check 0 'the format leaves out: profiles, settings, revision' world export square "$work/square.map" --format moving_ai
check 3 'KIND_UNSUITED in format' world export square "$work/none" --format graph
check 2 'writes to stdout' world export square - --json
check 2 'cannot write' world export square "$work/no/such/folder"
check 3 'WORLD_FILE_SYNTAX in chunk' world import spoilt "$work/square.map" --format repath
# Forks equal their source, and the history says what came after.
check 0 'revision 1, hash' world fork square as-it-was --at 1
check 0 "^as-it-was: .* revision 1, hash" world show as-it-was
check 3 'REVISION_NOT_YET in revision' world fork square never --revision 9999
check 3 'WORLD_UNKNOWN in source' world fork nothing never
check 0 'batches; the world is at revision [0-9]+, see --from' world history square --limit 2
check 0 '"changes":\[\{"revision":3,.*"truncated":' world history square --from 3 --limit 1 --json
one_line
check 3 'NOT_DURABLE' backup one
check 2 'BACKUP_MISSING: .*no-backup is not a folder' restore "$work/no-backup" "$work/data" --json
one_line
check 2 'RECORDING_UNREADABLE: .*no-recording cannot be read: No such file or directory' play "$work/no-recording"
# Packages put repath in /usr/bin, and repathd in /usr/sbin or nowhere.
mkdir -p "$work/usr/bin" "$work/usr/sbin"
cp "$bin/repath" "$work/usr/bin"
ln -s "$bin/repathd" "$work/usr/sbin"
installed() { PATH=/nowhere "$work/usr/bin/repath" play "$work/no-recording" 2>&1; }
expect 'repathd is found in ../sbin' grep -q 'RECORDING_UNREADABLE' <(installed)
rm "$work/usr/sbin/repathd"
expect 'repathd is named if it is nowhere' grep -q 'cannot run repathd; it must stand beside' <(installed)
installed >"$work/out"
expect 'a program that is not there ends a command with 2' [ $? -eq 2 ]
# Texts that other clients chose cannot act on a terminal, nor make lines of their own.
hostile=$(printf 'ok\r\n2026 forged\033]0;title\007')
check 0 'revision' world apply square --id 70 --circle 1,1,0.5 --request-id "$hostile"
check 0 '  request ok\\r\\n2026 forged\\x1b\]0;title\\x07$' world history square
expect 'no control character is printed' not grep -q '[[:cntrl:]]' "$work/out"
check 3 'there is no world .*ok\\r\\n2026 forged\\x1b' world show "$hostile"
expect 'no control character is printed' not grep -q '[[:cntrl:]]' "$work/err"
check 0 '"deleted":"square"' world delete square --json

# The server beside a bare gRPC server; the command starts both.
check 0 '^\{"query_share":[0-9.]+,"query_cpu_ratio":[0-9.]+,"push_share":[0-9.]+' \
  load ceiling --pairs 1 --seconds 0.2 --agents 500 --json
one_line
check 0 'share [0-9.]+, CPU of the server' load ceiling --pairs 1 --seconds 0.1 --agents 100
check 2 'pairs' load ceiling --pairs 0
check 3 'cannot run /nowhere' load ceiling --bare /nowhere
check 3 'did not start' load ceiling --repathd /bin/false
check 0 '"agent_16":[1-9].*"field":[1-9].*"connection":[1-9]' load footprint --percent 1 --json
check 0 'a session with a connection of its own +5 ' load footprint --percent 1
check 2 'percent' load footprint --percent 0
check 3 'did not start' load footprint --repathd /bin/false
check 0 '"worlds":20.*"first_p99_ms":[0-9]' load many-worlds --worlds 20 --in-use 5 --changes 3 --json
check 0 'first answer of 5 worlds: p50' load many-worlds --worlds 20 --in-use 5 --changes 3
check 2 'worlds' load many-worlds --worlds 9
check 3 'did not start' load many-worlds --repathd /bin/false

# The example game server runs for a few seconds.
if [ -x "$bin/repath-example" ]; then
  if "$bin/repath-example" "$REPATH_SERVER" 120 >"$work/out" && grep -Eq '[1-9][0-9]* patrols done' "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: repath-example"
  fi
fi

# A server with TLS that asks for tokens.
tokens=$work/tokens cert=$work/cert.pem key=$work/key.pem
check 0 '^game\.' token create "$tokens" --id game --scopes read,admin --worlds 'town-*'
game=$(cat "$work/out")
check 0 '^tools\.' token create "$tokens" --id tools --scopes read,write,agents,admin --worlds '*'
tools=$(cat "$work/out")
check 2 'TOKEN_EXISTS' token create "$tokens" --id game --scopes read --worlds '*'
check 2 'expected some of read,write,agents,admin' token create "$tokens" --scopes all --worlds '*'
check 2 'expected at most 64 patterns' token create "$tokens" --scopes read --worlds 'a b'
check 0 '^token  game  read,admin  town-\*$' token list "$tokens"
cp "$tokens" "$work/tokens.before"
unwritten token create "$tokens" --id unseen --scopes read --worlds '*'
unwritten token create "$tokens" --id unseen --scopes read --worlds '*' --json
expect 'a token that could not be printed is removed again' cmp -s "$tokens" "$work/tokens.before"
unwritten token list "$tokens"
expect 'the file has no secret' not grep -q -e "${game#*.}" -e "${tools#*.}" "$tokens"
# The commands refuse a file that a server refuses. They name the same line, and leave the file as it is.
digest=$(printf '%064d' 0)
for line in 'nothing' 'token b read *' "token b.c read * $digest" "token b all * $digest" "token b read a/b $digest" \
  'token b read * 00' "token b read * $digest # b" "token a read * $digest" 'certificate b read *'; do
  printf '%s\n' "token a read * $digest" "$line" >"$work/wrong"
  cp "$work/wrong" "$work/wrong.before"
  "$bin/repathd" --listen "unix:$work/socket3" --admin 127.0.0.1:0 --tokens "$work/wrong" >"$work/said" 2>&1
  expect "the server refuses: $line" grep -q "$work/wrong:2: " "$work/said"
  check 2 "TOKEN_FILE: $work/wrong:2: " token list "$work/wrong"
  check 2 "TOKEN_FILE: $work/wrong:2: " token revoke "$work/wrong" a
  check 2 "TOKEN_FILE: $work/wrong:2: " token create "$work/wrong" --scopes read --worlds '*'
  expect "nothing is changed: $line" cmp -s "$work/wrong" "$work/wrong.before"
done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
  -addext subjectAltName=IP:127.0.0.1 -keyout "$key" -out "$cert" 2>/dev/null
check 0 '^valid: /CN=localhost, expires in [12] days' tls check "$cert" "$key"
check 1 'expires within 9 days' tls check "$cert" "$key" --days 9
check 1 'is not the key of the certificate' tls check "$cert" "$tokens"
head -c 300 "$cert" | cat "$cert" - >"$work/cut.pem"
check 1 "$work/cut.pem: certificate 2 of the file is not whole" tls check "$work/cut.pem" "$key"
check 1 "$work/cut.pem: certificate 2 of the file is not whole" tls check "$cert" "$key" --client-ca "$work/cut.pem"
check 1 "$key: has no certificate in PEM" tls check "$cert" "$key" --client-ca "$key"
check 2 "$work/no-ca.pem: cannot be read: No such file" tls check "$cert" "$key" --client-ca "$work/no-ca.pem"
check 2 "$work: cannot be read: Is a directory" tls check "$cert" "$work"
"$bin/repathd" --listen 127.0.0.1:0 --admin 127.0.0.1:0 --tls-cert "$cert" --tls-key "$key" --tokens "$tokens" >"$work/log2" 2>&1 &
guarded=$!
trap 'kill "$server" "$guarded" 2>/dev/null; wait "$server" "$guarded" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
  grep -q 'ready admin=' "$work/log2" && break
  sleep 0.1
done
address=$(sed -n 's/.*serving listen=\([0-9.:]*\).*/\1/p' "$work/log2")
tls=(--server "$address" --tls-ca "$cert")
check 3 'TOKEN_MISSING' "${tls[@]}" world list
check 3 'TOKEN_INVALID' "${tls[@]}" --token game.wrong world list
check 0 'no worlds' "${tls[@]}" "--token=$game" world list
check 3 'no server answers' --server "$address" --token "$game" world list
export REPATH_TOKEN=$game
check 0 '"name":"town-1"' "${tls[@]}" world import town-1 "$work/square.txt" --json
check 3 'WORLD_DENIED in header.world.name' "${tls[@]}" world import hall "$work/square.txt"
check 3 'WORLD_DENIED in world' "${tls[@]}" world show hall
check 3 'SCOPE_MISSING: token game needs the scope `write`' "${tls[@]}" world apply town-1 --id 5 --circle 1,1,0.5
export REPATH_TOKEN=$tools
check 0 '"name":"town-1"' "${tls[@]}" world list --json
check 0 . "${tls[@]}" verify --map "$source/tests/data/maps/open_64.map" --agents 20 --events 30
check 0 '\{' "${tls[@]}" demo doors --agents 5 --changes 10 --seed 1 --json
# An empty file is refused: without it the connection would have no TLS.
: >"$work/empty.pem"
check 2 'empty.pem: is empty' --server "$address" --tls-ca "$work/empty.pem" world list
check 0 'revoked game' token revoke "$tokens" game
check 2 'TOKEN_UNKNOWN' token revoke "$tokens" game
kill -HUP "$guarded"
for _ in $(seq 100); do
  grep -q 'signal=SIGHUP tokens=taken' "$work/log2" && break
  sleep 0.1
done
check 3 'TOKEN_INVALID' "${tls[@]}" --token "$game" world list
check 0 '"name":"town-1"' "${tls[@]}" world list --json
unset REPATH_TOKEN
expect 'the log has no secret' not grep -q -e "${game#*.}" -e "${tools#*.}" "$work/log2"
expect 'changes are logged with their caller' grep -q 'audit who="token game" what=repath.v1.WorldService.ImportWorld world=town-1' "$work/log2"

kill -0 "$server" 2>/dev/null || { failed=$((failed + 1)); echo "FAILED: the server died:"; cat "$work/log"; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
