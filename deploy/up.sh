#!/usr/bin/env bash
# From a fresh Debian 12 to a running server and a demonstration on a real map.
#
#   deploy/up.sh          Installs missing packages, builds, starts the server, shows it at work, leaves it serving.
#   deploy/up.sh --once   The same with a server of its own, which it stops after the demonstration.
#   deploy/up.sh --stop   Stops the server that an earlier deploy/up.sh left serving.
#
# Worlds, agents and answers are kept in deploy/run/data; --once has a folder of its own and removes it.
#
# As root or with sudo. REPATH_PORT and REPATH_ADMIN_PORT change the ports (7700, 7780). If a port is taken, the next
# free one is used. Exit status 0 if every part of the demonstration succeeded.
set -euo pipefail
# shellcheck source=deploy/lib.sh
. "$(dirname "$0")/lib.sh"

run=$top/deploy/run
data=$run/data
bin=$top/build/release/bin
watch_pid='' server_pid='' keep=no

usage() { sed -n '2,11s/^# \{0,1\}//p' "$0"; }

clean_up() {
  [ -z "$watch_pid" ] || kill "$watch_pid" 2>/dev/null || true
  [ "$keep" = yes ] || [ -z "$server_pid" ] || stop_server 2>/dev/null || true
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# Finds the server that an earlier run left: sets address, admin_port and pid, or fails.
left_serving() {
  [ -f "$run/server" ] && read -r pid address admin_port <"$run/server" &&
    [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$bin/repathd" ]
}

stop_left() {
  left_serving || { echo "no server of deploy/up.sh is running"; return 0; }
  kill -TERM "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm -f "$run/server"
  echo "stopped the server at $address (process $pid)"
}

build() { configure release -DREPATH_BUILD_TESTS=OFF && cmake --build "$top/build/release" --target repathd repath repath-bare; }

serve() {
  mkdir -p "$run"
  local port=${REPATH_PORT:-7700} wanted
  wanted=$port
  port=$(free_port "$port")
  [ "$port" = "$wanted" ] || echo "  port $wanted is taken, using $port"
  admin_port=$(free_port "${REPATH_ADMIN_PORT:-7780}")
  address=127.0.0.1:$port
  start_server "$bin/repathd" "$run/repathd.log" "$address" "$admin_port" --data "$data"
  printf '  %-12s %s, admin 127.0.0.1:%s, process %s\n' server "$address" "$admin_port" "$server_pid"
}

repath() { "$bin/repath" --server "$address" "$@"; }

title() { printf '\n\033[1m%s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi; }

# show COMMAND...: prints the command as one would type it, then its answer.
show() {
  printf '$ repath %s\n' "${*//$top\//}"
  repath "$@" 2>&1 | sed 's/^/  /' || die "this failed; the server's log is $run/repathd.log"
}

# show_live COMMAND...: the same for a command that draws a live picture; without a terminal its first and last lines.
show_live() {
  printf '$ repath %s\n' "${*//$top\//}"
  if [ -t 1 ]; then
    repath "$@" || die "this failed; the server's log is $run/repathd.log"
  else
    repath "$@" >"$run/live.log" 2>&1 || { tail -n 20 "$run/live.log"; die "this failed"; }
    awk '{ line[NR] = "  " $0 } END { for (i = 1; i <= NR; i++) if (i <= 4 || i > NR - 6) print line[i]
      else if (i == 5) print "  ... (" NR - 10 " lines)" }' "$run/live.log"
  fi
}

# Six walkers of the harbour town, then its east gate and a bridge as doors.
demonstrate_town() {
  title "A world: the harbour town, 256 x 192 cells"
  repath world delete harbour >/dev/null 2>&1 || true
  show world import harbour "$top/deploy/maps/harbour.map"
  show world list
  show path find harbour --from 112,73 --to 232,151

  title "Agents: from the market, the quay, the woods and the fields, most of them over the river"
  local id=1 way
  for way in '112,73 232,151' '100,129 240,40' '24,40 90,100' '10,110 250,60' '120,10 90,140' '244,90 141,146'; do
    repath agent add harbour $id --from "${way% *}" --to "${way#* }" >/dev/null
    id=$((id + 1))
  done
  show agent list harbour

  title "Doors: only the agents concerned hear of it, each with its verdict"
  repath agent watch harbour --from-revision 1 --for 3 >"$run/watch.log" 2>&1 &
  watch_pid=$!
  sleep 0.5
  echo '(the east gate shuts, a bridge falls, the gate opens again)'
  show world apply harbour --id 1 --block 174,92,176,96
  sleep 0.5
  show world apply harbour --id 2 --block 190,92,204,95
  sleep 0.5
  show world apply harbour --remove 1
  wait "$watch_pid" || true
  watch_pid=''
  echo '$ repath agent watch harbour'
  sed 's/^/  /' "$run/watch.log"
}

# Kills the server as a crash would. All that it had acknowledged is there when it comes back, and the agents walk on.
demonstrate_restart() {
  title "A crash: the server is killed (SIGKILL) and started again"
  show world show harbour
  kill -KILL "$pid"
  wait "$pid" 2>/dev/null || true # without it the shell tells of the kill in its own words
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  start_server "$bin/repathd" "$run/repathd.log" "$address" "$admin_port" --data "$data"
  pid=$server_pid
  echo "(process $pid serves the same folder)"
  show world show harbour
  show agent watch harbour --from-revision 1 --for 2
  echo '(each agent has got a path again, with the reason RECOVERED; the gate shuts once more)'
  show world apply harbour --id 1 --block 174,92,176,96
  show agent list harbour
}

demonstrate_all() {
  demonstrate_town
  demonstrate_restart
  title "Doors, at speed: three walls with three doors each"
  show_live demo doors --agents 20 --changes 40 --seed 1 --frame-ms 10
  title "Tower defence: towers placed during the wave; one that would cut the last way is refused"
  show_live demo tower-defence --seed 1 --frame-ms 10
  title "The promise, checked from outside by a program with a world model and a search of its own"
  show verify --map "$top/deploy/maps/harbour.map" --agents 60 --events 120 --seed 1
  title "The same on a navmesh of two storeys and on a waypoint graph"
  show verify --map "$top/deploy/maps/house.json" --agents 30 --events 60 --seed 1
  show verify --map "$top/deploy/maps/streets.json" --agents 30 --events 60 --seed 1
  title "What the server did"
  show stats harbour
}

case "${1:-}" in
  '' | --once) ;;
  --stop) stop_left; exit 0 ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

began=$SECONDS
if [ "${1:-}" = --once ]; then
  data=$run/data-once
  rm -rf "$data"
fi
title "Repath"
need_packages "${build_packages[@]}"
step build build
if [ $# -eq 0 ] && left_serving; then
  printf '  %-12s %s, already serving as process %s\n' server "$address" "$pid"
else
  serve
  pid=$server_pid
fi
demonstrate_all

if [ "${1:-}" = --once ]; then
  stop_server
  rm -rf "$data"
  title "Done in $((SECONDS - began)) s; the server was stopped."
else
  keep=yes
  echo "$pid $address $admin_port" >"$run/server"
  title "Done in $((SECONDS - began)) s. Serving at $address."
  echo "  console    http://127.0.0.1:$admin_port/"
  echo "  ready      when http://127.0.0.1:$admin_port/readyz answers 200"
  echo "  commands   export PATH=$bin:\$PATH; repath --server $address world list"
  echo "  data       $data"
  echo "  log        $run/repathd.log"
  echo "  stop       deploy/up.sh --stop"
fi
