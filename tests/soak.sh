#!/usr/bin/env bash
# An hour in the life of a server with a data folder: worlds are made and deleted, game servers come, go and are killed,
# doors open and shut. The server's memory, descriptors and threads must not grow. It must serve another client all the time.
#
#   tests/soak.sh [--minutes N] [--seed N] [BIN_DIR]    BIN_DIR holds repathd and repath (build/dev/bin)
#
# One line a minute: resident memory, descriptors, threads, and the p99 of another client's paths. The last line is a JSON
# object. Exit status 1 if memory after the first sixth grew by more than a tenth, descriptors or threads grew, a call of the
# other client failed, or the server ended.
exec python3 "$(dirname "$0")/soak/soak.py" "$@"
