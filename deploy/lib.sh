# shellcheck shell=bash
# Functions that deploy/up.sh and tests/run.sh share: packages, steps with logs, and one server with a known process id.
# Source it from bash with `set -euo pipefail`. Sets `top` (the repository) and `logs` (a folder for logs).

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$top/build/log
mkdir -p "$logs"
export CCACHE_DIR=${CCACHE_DIR:-$top/build/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-2G}

# shellcheck disable=SC2034 # used by scripts that source this
build_packages=(g++ cmake ninja-build ccache mold libgrpc++-dev protobuf-compiler protobuf-compiler-grpc
  libprotobuf-dev libabsl-dev libspdlog-dev libboost1.81-dev libcli11-dev nlohmann-json3-dev librecast-dev prometheus-cpp-dev
  libssl-dev libsqlite3-dev zlib1g-dev)

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# step NAME COMMAND...: runs it with its output in $logs/NAME.log; prints how long it took. On failure prints the end of
# the log and ends the script.
step() {
  local name=$1 log=$logs/$1.log began=$SECONDS
  shift
  [ ! -t 1 ] || printf '  %-12s ...\r' "$name"
  if "$@" >"$log" 2>&1; then
    printf '  %-12s %s s\n' "$name" $((SECONDS - began))
    return 0
  fi
  printf '  %-12s FAILED after %s s; the end of %s:\n' "$name" $((SECONDS - began)) "$log"
  tail -n 40 "$log" | sed 's/^/    /'
  exit 1
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = 'ii ' ]; }

apt_get() {
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 "$@"
}

install_now() { apt_get update && apt_get install -y --no-install-recommends "$@"; }

# need_packages PACKAGE...: installs the missing ones; silent and quick if there are none.
need_packages() {
  local missing=() package
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] || step packages install_now "${missing[@]}"
}

# configure PRESET [ARGUMENT...]: configures a build folder that is new or was configured elsewhere. The build itself
# notices changed CMake files.
configure() {
  local preset=$1 folder=$top/build/$1
  shift
  [ -f "$folder/build.ninja" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$folder/CMakeCache.txt" ||
    (cd "$top" && cmake --fresh --preset "$preset" "$@")
}

port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Prints the first port from $1 on that is free on the loopback interface.
free_port() {
  local port=$1
  while port_taken "$port"; do port=$((port + 1)); done
  echo "$port"
}

# http_status HOST PORT PATH: prints the status of the answer to a GET, if one comes.
http_status() {
  (
    exec 3<>"/dev/tcp/$1/$2" || exit 0
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$3" "$1" >&3
    read -r -t 5 _ status _ <&3 && echo "$status"
  ) 2>/dev/null || true
}

# start_server REPATHD LOG ADDRESS ADMIN_PORT [FLAG...]: sets server_pid; returns when /readyz answers 200.
start_server() {
  local binary=$1 log=$2 address=$3 admin_port=$4
  shift 4
  setsid "$binary" --listen "$address" --admin "127.0.0.1:$admin_port" "$@" >"$log" 2>&1 </dev/null &
  server_pid=$!
  local tries
  for tries in $(seq 100); do
    [ "$(http_status 127.0.0.1 "$admin_port" /readyz)" = 200 ] && return 0
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  printf 'the server did not become ready (%s tries); the end of %s:\n' "$tries" "$log"
  tail -n 20 "$log" | sed 's/^/    /'
  return 1
}

# stop_server: sends SIGTERM to the server of start_server and returns its exit status.
stop_server() {
  local pid=$server_pid
  server_pid=
  kill -TERM "$pid" && wait "$pid"
}
