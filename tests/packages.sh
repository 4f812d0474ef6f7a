#!/usr/bin/env bash
# Makes the Debian packages of a build and checks them: what is where, the settings, the image's health check, what lintian says,
# the service, and what else is deployed. Usage: tests/packages.sh BUILD_DIR   (repathd, repath and repath_client must be built there)
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

# serve FLAG...: starts the packages' server; returns when it is ready.
serve() {
  : >"$work/server.log"
  "$work/root/usr/sbin/repathd" "$@" --data none >"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    ! grep -q ' ready ' "$work/server.log" || return 0
    sleep 0.1
  done
  kill -TERM $server 2>/dev/null || true
  cat "$work/server.log" && fail "the server does not start: $*"
}
stop() {
  kill -TERM $server
  wait $server || { cat "$work/server.log" && fail "the server does not end well"; }
}

# healthy PORT: runs the health check of the image, with another port.
healthy() {
  python3 - "$source/Dockerfile" "$1" <<'P' || fail "the health check of the image fails"
import json, re, subprocess, sys
image = open(sys.argv[1]).read().replace("\\\n", "")
command = json.loads(re.search(r"^HEALTHCHECK .*?CMD (\[.*)", image, re.M)[1])
sys.exit(subprocess.run([part.replace("/7781", "/" + sys.argv[2]) for part in command], timeout=10).returncode)
P
}

# The settings that are shipped are settings of this server, also with the lines for other machines.
serve --config "$work/root/etc/repath/repathd.conf" --listen "unix:$work/socket" --admin 127.0.0.1:0
stop
read -r grpc admin http < <(python3 -c 'import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(one.getsockname()[1] for one in taken))')
mkdir "$work/etc"
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -keyout "$work/etc/server.key" -out "$work/etc/server.pem" \
  2>"$work/log" || { cat "$work/log" && exit 1; }
"$work/root/usr/bin/repath" token create "$work/etc/tokens" --id game --scopes read --worlds '*' >"$work/log" 2>&1
sed -E "s/^#(\w)/\1/; s#= /etc/repath#= $work/etc#; s/:7700/:$grpc/; s/:7780/:$admin/" "$work/root/etc/repath/repathd.conf" \
  >"$work/others.conf"
serve --config "$work/others.conf"
stop

# The image is healthy without TLS and with it.
sed "s/:7700/:$grpc/; s/:7780/:$admin/; s/:7781/:$http/" "$source/deploy/docker/repathd.conf" >"$work/image.conf"
for flags in --insecure "--tls-cert $work/etc/server.pem --tls-key $work/etc/server.key --tokens $work/etc/tokens"; do
  # shellcheck disable=SC2086 # several flags
  serve --config "$work/image.conf" $flags
  healthy "$http"
  stop
done

lintian --tag-display-limit 0 --fail-on error "$packages"/*.deb || fail "lintian has errors"
if command -v systemd-analyze >/dev/null; then
  systemd-analyze verify --man=no --recursive-errors=no --root="$work/root" repathd.service >"$work/unit" 2>&1 || true
  ! grep -q 'repathd.service.*\(Unknown\|Failed to parse\)' "$work/unit" || fail "the service has unknown settings"
fi
"$source/tests/deployed.sh"
echo "the packages are whole"
