#!/usr/bin/env bash
# Attacks that any client can try that reaches the port of a server with its default limits. After each attack the server
# must be there, within its memory, and serve others.
#
#   tests/attacks.sh [--short] [--only NAME] [BIN_DIR]    BIN_DIR holds repathd (build/dev/bin)
#
# One line for each attack, with its figure: the peak of resident memory beside its limit, and the p99 of another
# client's paths beside the same in quiet. The last line is a JSON object with `lines` and `failed`. Exit status 0 if
# nothing failed.
exec python3 "$(dirname "$0")/attacks/attacks.py" "$@"
