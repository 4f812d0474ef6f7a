#!/usr/bin/env python3
"""Runs a command of repath-bench and checks what it prints: one JSON object on one line, each row of `results` with the keys named,
and no mismatch anywhere.

    expect_keys.py KEY,KEY... COMMAND [ARGUMENT...]     (--json is added)
"""

import json
import subprocess
import sys


def problems(keys, run):
    if run.returncode != 0:
        yield f'it ended with {run.returncode}'
    lines = run.stdout.splitlines()
    if len(lines) != 1:
        yield f'{len(lines)} lines on stdout, 1 was expected'
        return
    figures = json.loads(lines[0])
    for key in ('results', 'hash', 'machine'):
        if key not in figures:
            yield f'there is no {key!r}'
    if not figures.get('results'):
        yield 'there are no rows'
    for row in [figures, *figures.get('results', [])]:
        if row.get('mismatches', 0) != 0:
            yield f'mismatches: {row}'
    for row in figures.get('results', []):
        for key in keys:
            if key not in row:
                yield f'no {key!r} in {row}'


def main():
    keys = sys.argv[1].split(',')
    run = subprocess.run([*sys.argv[2:], '--json'], stdout=subprocess.PIPE, text=True, check=False)
    found = list(problems(keys, run))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
