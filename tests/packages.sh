#!/usr/bin/env bash
# Makes the Debian packages of a build and checks them: what is where, what lintian says, the service, the alerts, the
# dashboard. Usage: tests/packages.sh BUILD_DIR   (repathd, repath and repath_client must be built there)
set -euo pipefail

build=$(realpath "${1:?usage: tests/packages.sh BUILD_DIR}")
source=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=$work/packages

fail() { echo "$*" >&2 && exit 1; }

(cd "$build" && cpack -G DEB -B "$packages") >"$work/log" 2>&1 || { tail -20 "$work/log" && exit 1; }
for package in repath-server repath-cli repath-dev; do
  file=$(echo "$packages/$package"_*.deb)
  [ -f "$file" ] || fail "there is no package $package"
  dpkg-deb -x "$file" "$work/root"
  dpkg-deb -c "$file" | awk '{ print $6 }' >"$work/$package.files"
done

for file in usr/sbin/repathd usr/bin/repath etc/repath/repathd.conf usr/lib/systemd/system/repathd.service \
  usr/lib/sysusers.d/repath.conf usr/share/repath/maps/house.json usr/share/repath/proto/repath/v1/world.proto \
  usr/include/repath/client.h usr/share/doc/repath-server/copyright; do
  [ -e "$work/root/$file" ] || fail "no package has $file"
done
dpkg-deb -I "$packages"/repath-server_*.deb conffiles | grep -qx /etc/repath/repathd.conf || fail "repathd.conf is no conffile"

# Links between the pages that are shipped lead to a page. Other links lead into the source, which no package has.
(cd "$work/root/usr/share/doc/repath-server" && python3 - "$source") <<'P' || fail "links in the documentation lead nowhere"
import os, re, sys
pages = [os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names if name.endswith(".md")]
of_server = {os.path.relpath(os.path.join("server/docs", name)) for name in os.listdir(os.path.join(sys.argv[1], "server/docs"))}
linked = {os.path.normpath(os.path.join(os.path.dirname(page), link))
          for page in pages for link in re.findall(r"\]\(([^)#:]+)", open(page).read())}
assert len(linked & of_server) > 5, linked
dead = sorted(link for link in linked & of_server if not os.path.exists(link))
assert not dead, dead
P

# The settings that are shipped are settings of this server.
: >"$work/server.log"
"$work/root/usr/sbin/repathd" --config "$work/root/etc/repath/repathd.conf" --data none --listen "unix:$work/socket" \
  --admin 127.0.0.1:0 >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  grep -q ' ready ' "$work/server.log" && break
  sleep 0.1
done
kill -TERM $server && wait $server || { cat "$work/server.log" && fail "the server does not start with the settings shipped"; }

lintian --tag-display-limit 0 --fail-on error "$packages"/*.deb || fail "lintian has errors"
if command -v systemd-analyze >/dev/null; then
  systemd-analyze verify --man=no --recursive-errors=no --root="$work/root" repathd.service >"$work/unit" 2>&1 || true
  ! grep -q 'repathd.service.*\(Unknown\|Failed to parse\)' "$work/unit" || fail "the service has unknown settings"
fi
promtool check rules "$source/deploy/prometheus/alerts.yml"
python3 - "$source" <<'P'
import json, os, re, sys
top = sys.argv[1]
dashboard = json.load(open(os.path.join(top, "deploy/grafana/repath.json")))
asked = set(re.findall(r"repath_[a-z_]+", json.dumps(dashboard) + open(os.path.join(top, "deploy/prometheus/alerts.yml")).read()))
made = set()
for folder, _, files in os.walk(os.path.join(top, "server")):
    for name in files:
        if name.endswith(".cc"):
            made |= set(re.findall(r"repath_[a-z_]+", open(os.path.join(folder, name)).read()))
plain = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}
missing = sorted(name for name in plain if name not in made)
assert not missing, f"no metric of the server: {missing}"
runbook = open(os.path.join(top, "server/docs/operation.md")).read()
for alert in re.findall(r"alert: (\w+)", open(os.path.join(top, "deploy/prometheus/alerts.yml")).read()):
    assert f"### {alert}\n" in runbook, f"no line in the runbook for {alert}"
P
echo "the packages are whole"
