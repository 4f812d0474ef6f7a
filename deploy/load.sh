#!/usr/bin/env bash
# Does the server hold a game's load? Builds the images, runs one scenario in containers, leaves the results.
#
#   deploy/load.sh                                     tower-defence for 60 seconds
#   deploy/load.sh --scenario rts --duration 30        another; `repath load --help` lists them
#   deploy/load.sh --scenario storm -- --agents 500    arguments after -- go to `repath load`, objectives too
#
# Needs a Docker engine and docker-compose, or docker with its compose plug-in. Leaves in deploy/run/load: report.html,
# report.json, seconds.csv, metrics.txt (the server's at the end), prometheus/ (its data, for a Prometheus of your own), the logs.
# REPATH_BUILD_NETWORK=host builds the images on the host's network, if only that reaches a package mirror.
# Exit status: 0 all objectives met, 1 an objective missed, 2 wrong usage, 3 the run failed.
set -euo pipefail
cd "$(dirname "$0")"
out=$PWD/run/load
scenario=tower-defence duration=60

usage() { sed -n '2,12s/^# \{0,1\}//p' "${0##*/}"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 3
}

while [ $# -gt 0 ]; do
  case $1 in
    --scenario | --duration)
      [ $# -ge 2 ] || { echo "$1 wants a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    *) echo "there is no option $1; see --help" >&2; exit 2 ;;
  esac
done

# Objectives of each game: frames of 60 Hz, an answer within one frame or two.
objectives() {
  local within=$1
  # One verdict in a hundred is checked, so that "none was wrong" means something.
  printf -- '%s\n' --verify 1 --objective "replanned_ms.p99<=$within" --objective 'verified>=1' --objective 'wrong<=0'
}
case $scenario in
  tower-defence) mapfile -t checks < <(objectives 33; printf -- '%s\n' --objective 'invalidated_ms.p99<=16.7') ;;
  rts | navmesh) mapfile -t checks < <(objectives 50) ;;
  mmo) mapfile -t checks < <(objectives 33) ;;
  *) checks=() ;;
esac

if docker compose version >/dev/null 2>&1; then
  compose() { docker compose -p repath-load -f compose.load.yaml "$@"; }
elif command -v docker-compose >/dev/null; then
  compose() { docker-compose -p repath-load -f compose.load.yaml "$@"; }
else
  fail "neither docker compose nor docker-compose is here"
fi
docker info >/dev/null 2>&1 || fail "the Docker engine does not answer"

mkdir -p "$out"
trap 'compose logs --no-color server >"$out/server.log" 2>&1 || true; compose down --timeout 15 >/dev/null 2>&1 || true' EXIT
echo "building the images; the log is $out/build.log"
compose build >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log"; fail "the images could not be built"; }
compose up -d >"$out/up.log" 2>&1 || { cat "$out/up.log"; fail "the containers did not start"; }

inside() { compose exec -T load "$@"; }
for tries in $(seq 100); do
  inside repath world list >/dev/null 2>&1 && break
  [ "$tries" -lt 100 ] || fail "the server did not become ready"
  sleep 0.2
done

status=0
echo "running $scenario for $duration s"
inside repath load "$scenario" --json --duration "$duration" --server-pid 1 --report /tmp/report.html --csv /tmp/seconds.csv \
  ${checks[@]+"${checks[@]}"} "$@" >"$out/report.json" || status=$?

# Metrics of the server at the end, by a shell that opens the connection itself.
inside bash -c 'exec 3<>/dev/tcp/server/7780 && printf "GET /metrics HTTP/1.1\r\nHost: server\r\nConnection: close\r\n\r\n" >&3 &&
  sed "1,/^\r*$/d" <&3' >"$out/metrics.txt" || true
load=$(compose ps -q load)
prometheus=$(compose ps -q prometheus)
for file in report.html seconds.csv; do docker cp "$load:/tmp/$file" "$out/$file" >/dev/null 2>&1 || true; done
rm -rf "$out/prometheus"
docker cp "$prometheus:/data" "$out/prometheus" >/dev/null 2>&1 || true

case $status in
  0) echo "held. What came of it is in $out" ;;
  1) echo "an objective was missed: see $out/report.html" ;;
  2) echo "repath load did not take that; see repath load $scenario --help" >&2 ;;
  *) fail "the load could not be run (exit status $status)" ;;
esac
exit "$status"
