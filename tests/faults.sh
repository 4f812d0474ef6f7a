#!/usr/bin/env bash
# Faults on real processes with a data folder: what was acknowledged must be there after each, once.
#
#   tests/faults.sh [--short] [BIN_DIR]    BIN_DIR holds repathd and repath (build/dev/bin)
#
# One line for each fault, with its figure. The last line is a JSON object with `lines`, `failed`, `lost`, `doubled` and
# `wrong`. Exit status 0 if nothing failed. The kills at system calls need strace, the
# full disk needs the right to mount a tmpfs; else their lines say that they were skipped.
exec python3 "$(dirname "$0")/faults/faults.py" "$@"
