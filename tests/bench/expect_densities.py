#!/usr/bin/env python3
"""Runs `repath-bench compare` and checks that each generated map has as many blocked cells as its density says.

    expect_densities.py REPATH_BENCH
"""

import json
import subprocess
import sys

DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5]
SIDES = [128, 300]
OFF_MAX = 0.02


def main():
    run = subprocess.run(
        [sys.argv[1], 'compare', '--sides', ','.join(map(str, SIDES)), '--densities', ','.join(map(str, DENSITIES)),
         '--algorithm', 'bfs', '--queries', '1', '--json'],
        stdout=subprocess.PIPE, text=True, check=True)
    rows = json.loads(run.stdout)['results']
    wrong = [row for row in rows if abs(row['blocked'] - row['density']) > OFF_MAX]
    for row in wrong:
        print(f"{row['map']}: {row['blocked']:.3f} of the cells are blocked, {row['density']} was asked for", file=sys.stderr)
    if len(rows) != 5 * len(SIDES) * len(DENSITIES):
        print(f'{len(rows)} rows', file=sys.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
