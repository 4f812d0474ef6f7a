#!/usr/bin/env python3
"""Holds `repath-bench` with --peer on navmeshes to what it says of a peer that is right, of one that is wrong, and of one that fails.
The peer says how long the straight line is: right where nothing is in the way, too short elsewhere.

    expect_peer.py REPATH_BENCH WALLED_MESH
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

STRAIGHT = '''
import math, sys
for line in open(sys.argv[2]).read().splitlines()[1:]:
    x, z, to_x, to_z = map(float, line.split()[4:8])
    print(math.hypot(to_x - x, to_z - z), 1.5)
'''
SQUARE = 'mesh\n2\n4 1\n0 0 1 -1\n40 0 1 -1\n40 40 1 -1\n0 40 1 -1\n4 0 1 2 3 -1 -1 -1 -1\n'


def main():
    bench, walled = sys.argv[1:]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        square = Path(folder, 'square.mesh')
        square.write_text(SQUARE)
        script = Path(folder, 'straight.py')
        script.write_text(STRAIGHT)
        straight = f'{sys.executable} {script}'

        def ends_with(status, mesh, peer, command, *arguments):
            run = subprocess.run([bench, command, '--mesh', mesh, '--queries', '50', '--passes', '1', '--peer', peer, '--json', *arguments],
                                 capture_output=True, text=True, check=False)
            if run.returncode != status:
                wrong.append(f'{command} on {mesh} with {peer} ended with {run.returncode}, not {status}: {run.stderr}')
            return json.loads(run.stdout)['results'] if run.stdout else []

        for command, more in (('navmesh-static', []), ('navmesh-query', ['--obstacles', '0,10'])):
            rows = ends_with(0, square, straight, command, *more)
            if [row['p50_us'] for row in rows if row['algorithm'] == 'peer'] != [1.5]:
                wrong.append(f'{command}: no row with what the peer said: {rows}')
            ends_with(1, walled, straight, command, *more)
            ends_with(3, square, 'false', command, *more)
            ends_with(3, square, 'true', command, *more)
        if not all(row['p50_to_peer'] > 0 for row in ends_with(0, square, straight, 'navmesh-query', '--obstacles', '0')):
            wrong.append('no ratio to the peer')
        ends_with(2, square, straight, 'navmesh-query', '--obstacles', '10')
    for one in wrong:
        print(one, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
