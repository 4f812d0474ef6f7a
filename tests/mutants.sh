#!/usr/bin/env bash
# Deliberately broken servers, each of which `repath verify` must catch.
#
# Applies each patch of tests/mutants to a copy of the sources and builds repathd. Then starts short runs of
# `repath verify` against that server until one catches it. A run catches it with exit status 1; or with defects that it
# has found when its minute is over, for each takes it a search; or if a check of the server fails, which quarantines the
# world; or if the server dies. The runs are on meshes and graphs if the patch is called NN-routes-...,
# otherwise on grids. All runs must pass against the server without patches. This script fails if a patch no longer
# applies, a mutant does not build, or a mutant passes all its runs.
#
#   tests/mutants.sh [NAME...]     all mutants, or those whose file name contains one of the names
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/build/mutants
tree=$work/tree
built=$tree/build/single
bin=$built/bin
socket=$work/repathd.sock
server_pid=

# MAP SEED OPTIONS. Together they use every strategy, both corner rules and both topologies.
grid_runs=(
  "open_64 1 --strategy auto"
  "rooms_128 2 --strategy auto"
  "open_64 3 --strategy field"
  "rooms_128 4 --strategy astar"
  "maze_129 15 --strategy auto"
  "open_64 6 --strategy lpa"
  "rooms_128 7 --strategy dstar_lite --corner one"
  "caves_200 8 --strategy auto"
  "open_64 9 --strategy auto --topology 4"
  "maze_129 10 --strategy astar"
  "rooms_128 11 --strategy field"
  "town_256 12 --strategy auto"
  "open_64 13 --strategy auto --features teams"
  "rooms_128 14 --strategy auto --features none"
  "caves_200 15 --strategy auto --features teams"
  "maze_129 16 --strategy auto --features none --corner one"
  "caves_200 17 --strategy auto --features clearance"
  "rooms_128 18 --strategy auto --features clearance,teams,terrain"
  "open_64 19 --strategy auto --features hex,teams"
  "rooms_128 20 --strategy dstar_lite --features hex,terrain"
  "caves_200 21 --strategy auto --features influence,teams"
  "rooms_128 22 --strategy auto --features fog,clearance"
  "open_64 23 --strategy auto --features standing"
  "open_64 24 --strategy auto --features crowd"
  "rooms_128 25 --strategy astar --features legs,terrain"
  "caves_200 26 --strategy auto --topology 4 --features legs,teams"
  "caves_200 27 --strategy auto --corner one --features turns"
  "rooms_128 28 --strategy field --features turns,terrain"
  "town_256 29 --strategy field --features mass,terrain"
)
# A graph, with each strategy that repairs. A mesh with exact paths, for agents of several sizes and of one. Two storeys with
# links, and dear ground, with each strategy that repairs. Ground with flags. A graph with two goals for most agents.
route_runs=(
  "streets 1"
  "streets 2"
  "streets 3"
  "streets 5"
  "streets 1 --features clearance"
  "streets 2 --features kinds"
  "streets 3 --features clearance,kinds"
  "streets 1 --strategy astar"
  "streets 6 --strategy dstar_lite"
  "streets 7 --strategy lpa"
  "streets 8 --strategy field"
  "courtyard 1 --features clearance"
  "courtyard 3 --features none"
  "courtyard 2 --features clearance"
  "house 3 --features clearance"
  "house 4 --strategy dstar_lite"
  "house 5 --strategy lpa"
  "house 6 --strategy field"
  "house 9 --strategy dstar_lite"
  "house 12 --strategy dstar_lite"
  "courtyard 4 --strategy dstar_lite --features ground"
  "courtyard 5 --strategy lpa --features ground"
  "courtyard 6 --features turns"
  "house 7 --features turns"
  "estate 1 --features flags"
  "estate 2 --strategy field --features flags,ground"
  "streets 5 --features goals"
)
grid_agents=80
route_agents=200 # so many that they wait for each other
events=250
seconds=60 # for a run

stop_server() {
  [ -z "$server_pid" ] || { kill "$server_pid" 2>/dev/null && wait "$server_pid" 2>/dev/null; } || true
  server_pid=
}
trap stop_server EXIT

start_server() {
  rm -f "$socket"
  "$bin/repathd" --listen "unix:$socket" --admin 127.0.0.1:0 --log-level error >"$work/repathd.log" 2>&1 &
  server_pid=$!
  for _ in $(seq 100); do
    [ -S "$socket" ] && return
    sleep 0.05
  done
  echo "repathd does not start:" && tail -5 "$work/repathd.log" && return 1
}

map_file() {
  local file
  for file in "tests/data/maps/$1.map" "tests/data/meshes/$1.mesh" "tests/data/meshes/$1.mset" "deploy/maps/$1.json"; do
    [ ! -f "$file" ] || { echo "$file" && return; }
  done
}

# Starts one run and prints its counters. The exit status is that of `repath verify`, or 124 after its time.
verify() {
  local map seed=$2 agents=$route_agents
  map=$(map_file "$1")
  [[ $map != *.map ]] || agents=$grid_agents
  shift 2
  timeout "$seconds" "$work/repath" --server "unix:$socket" verify --json --map "$map" \
    --agents $agents --events $events --seed "$seed" "$@" 2>"$work/defects.txt"
}

# Prints the counters of a JSON line that are not 0.
caught_by() {
  grep -oE '"(wrong|missed_improvements|invalid_paths|unsettled)":[1-9][0-9]*' <<<"$1" | tr -d '"' | tr '\n' ' '
}

# Prints the number of defects that the last run wrote.
defects() { grep -cE '^[a-z ]+: seed [0-9]+, event ' "$work/defects.txt" || true; }

build() { cmake --build "$built" -j 2 --target "$@" >"$work/build.log" 2>&1 || { tail -30 "$work/build.log"; return 1; }; }

prepare() {
  mkdir -p "$tree"
  # Copies only files that differ, so that a tree from an earlier run is not built from scratch.
  for part in CMakeLists.txt CMakePresets.json proto server client; do
    if [ -d "$part" ]; then
      (cd "$part" && find . -type d -exec mkdir -p "$tree/$part/{}" \;)
      (cd "$part" && find . -type f -print0) | while IFS= read -r -d '' file; do
        cmp -s "$part/$file" "$tree/$part/$file" || cp "$part/$file" "$tree/$part/$file"
      done
      (cd "$tree/$part" && find . -type f -print0) | while IFS= read -r -d '' file; do
        [ -e "$root/$part/$file" ] || rm "$tree/$part/$file"
      done
    else
      cmp -s "$part" "$tree/$part" || cp "$part" "$tree/$part"
    fi
  done
  # Each source is compiled alone, so that a mutant compiles few.
  (cd "$tree" && cmake --preset dev -B "$built" -DREPATH_BUILD_TESTS=OFF -DCMAKE_UNITY_BUILD=OFF \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 >"$work/configure.log" 2>&1) || { tail -20 "$work/configure.log"; return 1; }
  build repathd repath
  cp "$bin/repath" "$work/repath"
}

# Checks that the server without patches passes every run.
check_original() {
  start_server
  local run seconds=600 # it must come to its end, however busy the machine is
  for run in "${grid_runs[@]}" "${route_runs[@]}"; do
    # shellcheck disable=SC2086
    if ! verify $run >"$work/answer.json"; then
      echo "FAILED: the server as it is does not pass: repath verify --events $events ($run)"
      head -5 "$work/defects.txt"
      return 1
    fi
  done
  stop_server
}

# Checks that the mutant applies, builds and fails a run.
try_mutant() {
  local patch=$1 name run status begin=$SECONDS
  name=$(basename "$patch" .patch)
  local runs=("${grid_runs[@]}")
  [[ $name != *-routes-* ]] || runs=("${route_runs[@]}")
  if ! patch -d "$tree" -p1 --dry-run --silent <"$patch" >"$work/patch.log" 2>&1; then
    echo "FAILED  $name: the patch does not apply to today's sources" && cat "$work/patch.log"
    return 1
  fi
  patch -d "$tree" -p1 --silent --no-backup-if-mismatch <"$patch"
  if ! build repathd; then
    patch -d "$tree" -p1 --silent --no-backup-if-mismatch -R <"$patch"
    echo "FAILED  $name: does not build"
    return 1
  fi
  start_server
  local answer by result="FAILED"
  for run in "${runs[@]}"; do
    status=0
    # shellcheck disable=SC2086
    answer=$(verify $run) || status=$?
    [ $status -eq 0 ] && continue
    by=
    if grep -qE '^repath: (QUARANTINED in world|CHECK_FAILED)' "$work/defects.txt"; then
      by="a check of the server"
    elif [ $status -eq 1 ]; then
      by=$(caught_by "$answer")
    elif [ $status -eq 124 ] && [ "$(defects)" -gt 0 ]; then
      by="$(defects) defects in a minute"
    elif ! kill -0 "$server_pid" 2>/dev/null; then
      by="the server died"
    elif [ $status -eq 124 ]; then # it found nothing in its minute; the server may still have its world
      stop_server
      start_server
      continue
    fi
    if [ -n "$by" ]; then
      result="caught"
      printf '%-42s %-52s %-28s %4d s\n' "$name" "$by" "${run%% --*}" $((SECONDS - begin))
    else
      echo "FAILED  $name: repath verify ended with status $status ($run)" && tail -n 3 "$work/defects.txt" "$work/repathd.log"
    fi
    break
  done
  stop_server
  patch -d "$tree" -p1 --silent --no-backup-if-mismatch -R <"$patch"
  [ $result = caught ] && return
  [ $status -eq 0 ] || [ $status -eq 124 ] && echo "FAILED  $name: survived all ${#runs[@]} runs"
  return 1
}

wanted() {
  [ $# -gt 1 ] || return 0
  local patch=$1 name
  shift
  for name in "$@"; do [[ $patch == *"$name"* ]] && return 0; done
  return 1
}

prepare
check_original
echo "the server as it is passes all $((${#grid_runs[@]} + ${#route_runs[@]})) runs"
printf '%-42s %-52s %-28s %6s\n' mutant "caught by" "in (map, seed)" took
caught=0
failed=0
for patch in tests/mutants/*.patch; do
  wanted "$patch" "$@" || continue
  if try_mutant "$patch"; then caught=$((caught + 1)); else failed=$((failed + 1)); fi
done
echo "$caught caught, $failed failed, $SECONDS s"
[ $failed -eq 0 ] && [ $caught -gt 0 ]
