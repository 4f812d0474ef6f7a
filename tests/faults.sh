#!/usr/bin/env bash
# Faults on real processes with a data folder: what was acknowledged must be there after each, once.
#
#   tests/faults.sh [--short] [--only=TEXT] [BIN_DIR]    BIN_DIR holds repathd and repath (build/dev/bin)
#
# --short does a part of each line; --only does the lines whose names contain the text. One line for each fault, with its
# figure and the time it took. The last line is a JSON object with `lines`, `failed`, `lost`, `doubled` and `wrong`. Exit
# status 0 if nothing failed. Some lines need strace, libfaketime, or the rights to mount a tmpfs or an ext4 on a loop
# device; else they say that they were skipped, and why.
exec python3 "$(dirname "$0")/faults/faults.py" "$@"
