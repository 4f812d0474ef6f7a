#!/usr/bin/env bash
# Checks client/console: its types, its unit tests, and that the files in dist/ are what a build makes of the sources, byte for
# byte. Needs node, npm and protoc. The output of node's tests goes to stdout in the form TAP.
set -euo pipefail
cd "$(dirname "$0")/../client/console"
[ node_modules -nt package-lock.json ] || npm ci --no-audit --no-fund
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm test --silent
npm run --silent check
node build.mjs --out "$scratch/dist"
diff -r "$scratch/dist" dist || {
  echo "client/console/dist is not what its sources make. Run \`npm run build\` in client/console and commit dist."
  exit 1
}
