#!/usr/bin/env bash
# Installs what the tests need, builds, runs the tests.
#
#   tests/run.sh              all parts except those marked with *
#   tests/run.sh PART...      these parts only; see below
#   tests/run.sh --all        everything
#
#   ctest        C++ tests of the dev preset: unit, property, golden, sim, rpc (each is a part of its own, too)
#   tidy         rules of .github/CONTRIBUTING.md that a compiler does not check; each check must catch a planted fault
#   package      the client library, installed, and the example game server built against it
#   node         the public API from a program in another language
#   console      the console's unit tests, and that its built files are what its sources make
#   replay       the project's scenarios, and those of Moving AI if present: every path has the stated length
#   verify       every verdict and every silence on the project's maps, checked from outside
#   demo         the two demonstrations of the command line
#   crashes      1,000 random games of the store on a disk that crashes, against a plain model
#   storm        doors that change faster than a frame's budget can answer: the budget holds, and every agent is served
#   faults       kills, damage and a full disk on servers with a data folder: nothing acknowledged is lost or doubled
#   attacks      what any client can try: the server is there afterwards, within its memory, and serves others meanwhile
#   asan         AddressSanitizer and UBSan: the property tests of the engine, which drive all rooms below it
#   tsan         ThreadSanitizer: runtime, store and the engine's workers in one process; nothing is suppressed
#   asan-rooms * AddressSanitizer and UBSan: the property tests of the rooms world to route_ground
#   asan-rpc *   AddressSanitizer and UBSan: the random games, the services over sockets, client, command line, checker,
#                all unit tests, and the property tests of search, geometry and grid
#   tsan-rpc *   ThreadSanitizer: the services over sockets; a race planted in a handler must be reported
#   tsan-rooms * ThreadSanitizer: the unit tests of engine and client
#   lint *       clang-tidy over server/ and client/
#   packages *   the Debian packages and what is deployed: contents, lintian, service, alerts, dashboard
#   node-asan *  the node part against a server with AddressSanitizer and UBSan
#   libfuzzer *  libFuzzer on every reader of bytes from outside, with AddressSanitizer and UBSan, a minute each
#   mutants *    deliberately broken servers; `repath verify` must catch each of them
#   browser *    the console in Chromium: each feature by clicking; screenshots are in build/browser
#
# REPATH_TEST_SEED sets the seed of random tests. REPATH_FUZZ_SECONDS sets how long the parts fuzz and libfuzzer feed each
# reader. The last line is 'N passed, N failed, N skipped'; exit status 0 only if no test failed. Logs: build/log.
set -euo pipefail
# shellcheck source=deploy/lib.sh
. "$(dirname "$0")/../deploy/lib.sh"
cd "$top"

# The last ones kill and load servers, so nothing is built beside them.
default_parts=(ctest storm tidy package node console replay verify demo asan tsan crashes faults attacks)
extra_parts=(asan-rooms asan-rpc tsan-rpc tsan-rooms lint packages node-asan libfuzzer mutants browser)
kinds=(unit property golden sim rpc fuzz)
bin=$top/build/dev/bin
shared_grid=$top/../shared/data/grid
scratch=$(mktemp -d)
export UBSAN_OPTIONS=print_stacktrace=1
# The libraries of gRPC are not instrumented. Races inside them are ignored; their ordering of
# threads counts (tsan_edges.cc).
tsan_rpc=halt_on_error=1:ignore_noninstrumented_modules=1
# The sanitizers of g++ 12 need fixed addresses; kernels that randomise addresses widely may have
# used them.
fixed_addresses=()
setarch -R true 2>/dev/null && fixed_addresses=(setarch -R)
passed=0 failed=0 skipped=0 server_pid='' ahead_pid='' began=$SECONDS finished=no

usage() { sed -n '2,35s/^# \{0,1\}//p' "$0"; }

# Prints the last line, even if a build failed, which counts as one more failure.
sum_up() {
  finished=yes
  echo "in $(((SECONDS - began) / 60)) min $(((SECONDS - began) % 60)) s"
  echo "$passed passed, $failed failed, $skipped skipped"
}

clean_up() {
  [ -z "$server_pid" ] || stop_server 2>/dev/null || true
  [ -z "$ahead_pid" ] || kill "$ahead_pid" 2>/dev/null || true
  rm -rf "$scratch"
  [ "$finished" = yes ] || { failed=$((failed + 1)) && sum_up; }
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# count NAME PASSED FAILED SKIPPED SECONDS [LOG]: adds a suite to the sums and prints its line, and
# the end of the log if a test failed.
count() {
  passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  printf '  %-44s %5s passed %3s failed %3s skipped %5s s\n' "$1" "$2" "$3" "$4" "$5"
  [ "$3" = 0 ] || [ $# -lt 6 ] || explain "$6" | sed 's/^/    /'
}

# explain LOG: prints what the failed tests of ctest have said; of another log the end.
explain() {
  if grep -q '^The following tests FAILED:' "$1"; then
    echo "--- from $1"
    awk '/\*\*\*(Failed|Timeout|Exception|Not Run)/ { failed = 1 } /^ *Start +[0-9]+:/ { failed = 0 } failed' "$1" |
      cut -c1-400 | sed -n 1,150p
    sed -n '/^The following tests FAILED:/,$p' "$1"
  else
    echo "--- the end of $1"
    tail -n 60 "$1"
  fi
}

# check NAME COMMAND...: one test, which passes if the command exits with status 0.
check() {
  local name=$1 log=$logs/${1//[^A-Za-z0-9_.-]/_}.log began=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    count "$name" 1 0 0 $((SECONDS - began))
  else
    count "$name" 0 1 0 $((SECONDS - began)) "$log"
  fi
}

build() { configure "$1" && cmake --build "build/$1" --target "${@:2}"; }

# Prints one attribute of the first line of a ctest report.
report() { sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$scratch/ctest.xml" | head -n 1; }

# run_ctest NAME [CTEST ARGUMENT...]: some tests wait more than they work, so one more runs than there are cores.
run_ctest() {
  local name=$1 log=$logs/$1.log began=$SECONDS
  shift
  rm -f "$scratch/ctest.xml"
  ctest --test-dir build/dev -j $(($(nproc) + 1)) --output-on-failure --output-junit "$scratch/ctest.xml" "$@" \
    >"$log" 2>&1 || true
  if [ ! -s "$scratch/ctest.xml" ] || [ "$(report tests)" = 0 ]; then
    count "$name" 0 1 0 $((SECONDS - began)) "$log"
    return
  fi
  local bad not_run
  bad=$(report failures) not_run=$(($(report skipped) + $(report disabled)))
  count "$name" $(($(report tests) - bad - not_run)) "$bad" "$not_run" $((SECONDS - began)) "$log"
}

# run_gtest NAME COMMAND...: a GoogleTest program as a suite, in two processes that share its tests. A process that ends
# before its summary has failed.
run_gtest() {
  local name=$1 log=$logs/${1// /_}.log began=$SECONDS shard pids=() sums=(0 0 0) good bad skip status
  for shard in 0 1; do
    GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$shard timeout 900 "${@:2}" --gtest_brief=1 >"$log.$shard" 2>&1 &
    pids+=($!)
  done
  for shard in 0 1; do
    status=0
    wait "${pids[shard]}" || status=$?
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log.$shard")
    bad=$(grep -c '^\[  FAILED  \] .* ms)$' "$log.$shard" || true)
    skip=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log.$shard" | head -n 1)
    # A leak is reported after the summary.
    { [ -n "$good" ] && { [ $status = 0 ] || [ "$bad" != 0 ]; }; } || bad=$((bad + 1))
    sums=($((sums[0] + ${good:-0})) $((sums[1] + bad)) $((sums[2] + ${skip:-0})))
  done
  cat "$log".[01] >"$log" && rm "$log".[01]
  # Every program has tests.
  [ $((sums[0] + sums[1] + sums[2])) -gt 0 ] || sums[1]=1
  count "$name" "${sums[@]}" $((SECONDS - began)) "$log"
}

# with_server COMMAND...: starts the dev build's server on a separate unix socket and stops it
# afterwards. If the server does not end with status 0, that is a failed test.
with_server() {
  address=unix:$scratch/server.sock
  if ! start_server "$bin/repathd" "$logs/repathd.log" "$address" "$(free_port 17780)"; then
    count "server starts" 0 1 0 0 "$logs/repathd.log"
    return
  fi
  "$@"
  check "server drains after ${1#part_}" stop_server
  server_pid=''
}

repath() { "$bin/repath" --server "$address" "$@"; }

part_tidy() {
  local log=$logs/tidy.log began=$SECONDS
  python3 tests/tidy/tidy.py --self-test >"$log" 2>&1 || true
  count tidy "$(grep -c '^ok ' "$log" || true)" "$(grep -c '^not ok ' "$log" || true)" 0 $((SECONDS - began)) "$log"
  grep -q '^done$' "$log" || count "tidy ends" 0 1 0 0 "$log"
  local made
  for made in maps meshes countries hall estate; do
    check "$made: as make_$made.py makes them" python3 tests/data/make_$made.py --check
  done
}

# node_suite NAME LOG SECONDS_BEGAN: counts the results of node's tests, which LOG has in the form TAP.
node_suite() {
  local good bad skip
  good=$(sed -n 's/^# pass //p' "$2") skip=$(sed -n 's/^# skipped //p' "$2")
  bad=$(awk '/^# (fail|cancelled) / { n += $3 } END { print n + 0 }' "$2")
  [ -n "$good" ] || bad=1
  count "$1" "${good:-0}" "$bad" "${skip:-0}" $((SECONDS - $3)) "$2"
}

# node_packages FOLDER LOG: installs what the lock file of a folder names.
node_packages() {
  (cd "$1" && { [ node_modules -nt package-lock.json ] || npm ci --no-audit --no-fund; }) >"$2" 2>&1
}

# part_node [PRESET]
part_node() {
  local preset=${1:-dev} began=$SECONDS
  local log=$logs/node-$preset.log
  node_packages tests/rpc/node "$log" || { count "node packages" 0 1 0 $((SECONDS - began)) "$log"; return; }
  (cd tests/rpc/node && REPATH_BIN_DIR=$top/build/$preset/bin timeout 900 node --test --test-reporter=tap .) \
    >"$log" 2>&1 || true
  node_suite "node $preset" "$log" "$began"
}

part_console() {
  local log=$logs/console.log began=$SECONDS status=0
  tests/console.sh >"$log" 2>&1 || status=$?
  node_suite console "$log" "$began"
  check "console's files are what its sources make" [ $status = 0 ]
}

part_browser() {
  local log=$logs/browser.log began=$SECONDS
  node_packages tests/browser "$log" || { count "browser packages" 0 1 0 $((SECONDS - began)) "$log"; return; }
  (cd tests/browser && timeout 900 node --test --test-concurrency=1 --test-reporter=tap .) >"$log" 2>&1 || true
  node_suite browser "$log" "$began"
}

part_replay() {
  local scen
  for scen in tests/data/maps/*.scen; do check "replay $(basename "$scen")" repath replay "$scen"; done
  if [ -d "$shared_grid" ]; then
    for scen in "$shared_grid"/*.scen; do check "replay $(basename "$scen")" repath replay "$scen"; done
  else
    count "replay of the Moving AI maps (not at hand)" 0 0 1 0
  fi
}

# routes_verify FILE [OPTION...]: FILE is a mesh, a floor plan or a graph.
routes_verify() {
  local name=${1##*/}
  check "verify ${name%.*} ${*:2}" repath verify --map "$1" --agents "${agents:-60}" --events "${events:-150}" --json \
    --seed "${REPATH_TEST_SEED:-1}" "${@:2}"
}

# repairing_verify FILE [OPTION...]: FILE is a graph, and the server must have repaired kept searches.
repairing_verify() {
  repath verify --map "$1" --agents 60 --events 150 --json --seed "${REPATH_TEST_SEED:-1}" "${@:2}" |
    tee /dev/stderr | grep -q '"repairs":[1-9]'
}

# own_verify MAP STRATEGY [OPTION...]
own_verify() {
  check "verify ${1%%_*} ${*:2}" repath verify --map "tests/data/maps/$1.map" --agents 60 --events 150 \
    --seed "${REPATH_TEST_SEED:-1}" --strategy "${@:2}"
}

part_verify() {
  local strategy map features
  for map in town_256 rooms_128 maze_129 caves_200 open_64; do own_verify $map auto; done
  for strategy in astar lpa dstar_lite field; do own_verify rooms_128 $strategy; done
  own_verify open_64 auto --features none
  own_verify open_64 auto --topology 4
  own_verify caves_200 auto --corner one
  own_verify open_64 auto --features crowd
  own_verify rooms_128 field --features crowd,teams,terrain
  own_verify rooms_128 astar --features legs,terrain
  own_verify town_256 auto --topology 4 --features legs
  own_verify caves_200 auto --corner one --features turns
  own_verify rooms_128 field --features turns,teams,terrain
  for strategy in auto dstar_lite field; do own_verify town_256 $strategy --features mass,terrain; done
  own_verify town_256 auto --realtime
  for map in house streets countries; do routes_verify deploy/maps/$map.json; done
  routes_verify deploy/maps/streets.json --features clearance,goals,kinds
  routes_verify deploy/maps/streets.json --strategy astar
  for strategy in auto lpa dstar_lite field; do
    check "verify streets $strategy, which repairs" repairing_verify deploy/maps/streets.json --strategy $strategy
  done
  routes_verify deploy/maps/house.json --strategy astar
  for features in clearance ground turns; do routes_verify tests/data/meshes/courtyard.mesh --features $features; done
  routes_verify deploy/maps/house.json --features turns,clearance
  routes_verify tests/data/meshes/estate.mset --features flags
  agents=20 routes_verify tests/data/meshes/tiers.json
  agents=500 events=1300 routes_verify deploy/maps/streets.json --strategy auto # until nearly all nodes are shut
}

part_demo() {
  check "demo doors" repath demo doors --agents 20 --changes 60 --seed 1 --json
  check "demo tower-defence" repath demo tower-defence --seed 1 --json
}

# Prints the names of the test programs of these rooms and kinds: search_unit search_property ...
programs() {
  local room kind
  for room in $1; do
    for kind in $2; do
      if compgen -G "tests/$kind/$room/*_test.cc" >/dev/null; then echo "${room}_$kind"; fi
    done
  done
}

# The programs that a sanitizer's part runs.
programs_of() {
  case $1 in
    asan) programs engine property ;;
    asan-rooms) programs 'world routes verdicts grid_ground route_ground' property ;;
    asan-rpc)
      echo services_rpc
      programs 'engine runtime' sim
      programs 'search geometry agents grid world routes verdicts grid_ground route_ground engine access store' unit
      programs 'runtime rpc admin client cli verify' unit
      programs 'search geometry grid' property
      ;;
    tsan) programs runtime 'unit sim' && programs 'access store' unit && programs engine sim ;;
  esac
}

# Begins to build what asan and tsan need while parts run that use one core. At the lowest priority, so that it takes no
# time from these.
build_ahead() {
  local preset targets
  trap 'kill $! 2>/dev/null; exit 1' TERM
  for preset in asan tsan; do
    wanted $preset || continue
    configure $preset
    mapfile -t targets < <(programs_of $preset)
    nice -n 19 ninja -C build/$preset "${targets[@]}" &
    wait $!
  done
}

# Waits for build_ahead. A build that failed fails again in its part.
end_ahead() {
  [ -z "$ahead_pid" ] || wait "$ahead_pid" || true
  ahead_pid=
}

# sanitized PRESET PROGRAM...: builds and runs the programs. A sanitizer's report ends a program,
# which is then a failure.
sanitized() {
  local preset=$1 name
  shift
  end_ahead
  step "build-$preset" build "$preset" "$@"
  for name in "$@"; do run_gtest "$preset $name" "${fixed_addresses[@]}" "build/$preset/bin/$name"; done
}

# Calls the handler in which tests/rpc/CMakeLists.txt plants a race.
planted_race_is_reported() {
  local report=$scratch/race.txt status=0
  TSAN_OPTIONS=$tsan_rpc "${fixed_addresses[@]}" build/tsan/bin/planted_race >"$report" 2>&1 || status=$?
  cat "$report"
  [ $status = 66 ] && grep -q 'WARNING: ThreadSanitizer: data race' "$report" &&
    grep -q '#0 repath::DebugService::GetStats' "$report"
}

# The random games and the tests of selectivity have only one thread, so ThreadSanitizer has nothing
# to check there.
part_tsan() {
  local names
  mapfile -t names < <(programs_of tsan)
  GTEST_FILTER='-Verdicts.*:TenThousandAgents.*:Auto.*' TSAN_OPTIONS=halt_on_error=1 sanitized tsan "${names[@]}"
}

part_tsan_rpc() {
  # The matrix of fields makes one call after the other.
  GTEST_FILTER='-FieldMatrix.*' TSAN_OPTIONS=$tsan_rpc sanitized tsan services_rpc
  step build-planted build tsan planted_race
  check "a race planted in a handler is reported" planted_race_is_reported
}

part_tsan_rooms() {
  TSAN_OPTIONS=halt_on_error=1 sanitized tsan engine_unit
  TSAN_OPTIONS=$tsan_rpc sanitized tsan client_unit
}

# part_with_asan PART
part_with_asan() {
  local names
  mapfile -t names < <(programs_of "$1")
  sanitized asan "${names[@]}"
}

part_node_asan() { end_ahead && step build-asan build asan repathd && part_node asan; }
part_package() { check "client package" tests/client_package.sh build/dev; }
part_packages() { check "Debian packages" tests/packages.sh build/dev; }
part_storm() {
  check storm "$bin/repath-storm" --map tests/data/maps/rooms_128.map --agents 300 --seconds 5 --changes 60
}
part_crashes() { check "crashes" "$bin/repath-sim" --seeds 1000 --first "${REPATH_TEST_SEED:-1}"; }
part_faults() { check "faults" tests/faults.sh --short "$bin"; }
part_attacks() { check "attacks" tests/attacks.sh --short "$bin"; }
part_lint() { check "clang-tidy" tests/tidy/lint.sh; }
part_mutants() { check "mutants" tests/mutants.sh; }
part_libfuzzer() {
  local log=$logs/libfuzzer.log began=$SECONDS
  tests/libfuzzer.sh 2>&1 | tee "$log" || true
  count libfuzzer "$(grep -c '^ok' "$log")" "$(grep -c '^not ok' "$log")" 0 $((SECONDS - began))
}

# run_part NAME
run_part() {
  echo "$1"
  case $1 in
    ctest) for kind in "${kinds[@]}"; do run_kind "$kind"; done ;;
    replay | verify | demo) with_server "part_$1" ;;
    unit | property | golden | sim | rpc | fuzz) run_kind "$1" ;;
    asan | asan-rooms | asan-rpc) part_with_asan "$1" ;;
    *) "part_${1//-/_}" ;;
  esac
}

run_kind() {
  if compgen -G "tests/$1/*/*_test.cc" >/dev/null || compgen -G "tests/$1/*_test.cc" >/dev/null; then
    run_ctest "$1" -L "^$1\$"
  fi
}

parts=()
for argument in "$@"; do
  case $argument in
    -h | --help) usage; finished=yes; exit 0 ;;
    --all) parts+=("${default_parts[@]}" "${extra_parts[@]}") ;;
    *)
      if [[ " ${default_parts[*]} ${extra_parts[*]} ${kinds[*]} " != *" $argument "* ]]; then
        usage >&2
        finished=yes
        exit 2
      fi
      parts+=("$argument")
      ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=("${default_parts[@]}")
wanted() { [[ " ${parts[*]} " == *" $1 "* ]]; }

packages=("${build_packages[@]}" libgtest-dev libgmock-dev libpolyclipping-dev python3 git)
wanted faults && packages+=(strace faketime)
{ wanted tidy || wanted lint; } && packages+=(clang-format)
wanted lint && packages+=(clang-tidy)
wanted packages && packages+=(lintian prometheus dpkg-dev file openssl)
if { wanted node || wanted node-asan || wanted console || wanted browser; } && ! command -v npm >/dev/null; then
  packages+=(nodejs npm)
fi
wanted browser && packages+=(chromium)
wanted libfuzzer && packages+=(clang-14 libclang-rt-14-dev)
need_packages "${packages[@]}"
for part in "${parts[@]}"; do
  case $part in
    tidy | asan* | tsan* | node-asan | libfuzzer | mutants | console) ;;
    *) step build build dev all; break ;;
  esac
done
for part in "${parts[@]}"; do
  if [ "$part" = tidy ] && { wanted asan || wanted tsan; }; then
    build_ahead >"$logs/build-ahead.log" 2>&1 &
    ahead_pid=$!
  fi
  run_part "$part"
done
sum_up
[ "$failed" -eq 0 ]
