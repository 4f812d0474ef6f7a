#!/usr/bin/env python3
"""Writes deploy/maps/hall.obj: a hall with pillars, a gallery above its east end, and a ramp that leads up.

Triangles in metres, y up. The hall is 32 x 20. Eight pillars stand in its west part. The gallery lies 3.5 above the ground from x = 20
on; whoever stands under it gets there by the ramp, from x = 10 to 20 in the middle. With --check it writes nothing and ends with 1 if
the file is not what it would write.
"""

import pathlib
import sys

FILE = pathlib.Path(__file__).parents[2] / 'deploy' / 'maps' / 'hall.obj'

WIDTH, DEPTH = 32, 20
WALL, CEILING = 0.5, 7
GALLERY, SLAB = 3.5, 0.2
RAMP = (10, 20, 8, 12)  # x from, to; z from, to


class Level:
    def __init__(self):
        self.vertices = []
        self.faces = []

    def quad(self, *corners):
        """Two triangles. Seen from their front, the corners run counterclockwise."""
        first = len(self.vertices) + 1
        self.vertices += corners
        self.faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]

    def floor(self, x0, x1, z0, z1, y):
        self.quad((x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0))

    def box(self, x0, x1, z0, z1, y0, y1):
        self.floor(x0, x1, z0, z1, y1)
        self.quad((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1))
        for (ax, az), (bx, bz) in (((x0, z1), (x1, z1)), ((x1, z1), (x1, z0)), ((x1, z0), (x0, z0)), ((x0, z0), (x0, z1))):
            self.quad((ax, y0, az), (bx, y0, bz), (bx, y1, bz), (ax, y1, az))

    def ramp(self, x0, x1, z0, z1, height):
        """Rises from x0 to x1; walls close its sides and its back."""
        self.quad((x0, 0, z0), (x0, 0, z1), (x1, height, z1), (x1, height, z0))
        self.quad((x1, 0, z1), (x1, 0, z0), (x1, height, z0), (x1, height, z1))
        for z, (a, b) in ((z0, (x1, x0)), (z1, (x0, x1))):
            foot, top = (x0, 0, z), (x1, height, z)
            first = len(self.vertices) + 1
            self.vertices += [foot, (x1, 0, z), top]
            self.faces.append((first, first + 1, first + 2) if a < b else (first, first + 2, first + 1))

    def text(self):
        lines = ['# A hall with pillars, a gallery and a ramp. tests/data/make_hall.py makes this file.']
        lines += ['v ' + ' '.join(f'{c:g}' for c in v) for v in self.vertices]
        lines += ['f ' + ' '.join(map(str, f)) for f in self.faces]
        return '\n'.join(lines) + '\n'


def hall():
    level = Level()
    x0, x1, z0, z1 = RAMP
    level.floor(0, x0, 0, DEPTH, 0)  # the ground has no floor under the ramp
    level.floor(x0, x1, 0, z0, 0)
    level.floor(x0, x1, z1, DEPTH, 0)
    level.floor(x1, WIDTH, 0, DEPTH, 0)
    level.ramp(*RAMP, GALLERY)
    level.box(x1, WIDTH, 0, DEPTH, GALLERY - SLAB, GALLERY)
    for x in (3, 7, 12, 16):
        for z in (4, 15):
            level.box(x, x + 1, z, z + 1, 0, CEILING)
    for walls in ((-WALL, 0, -WALL, DEPTH + WALL), (WIDTH, WIDTH + WALL, -WALL, DEPTH + WALL),
                  (0, WIDTH, -WALL, 0), (0, WIDTH, DEPTH, DEPTH + WALL)):
        level.box(*walls, 0, CEILING)
    return level.text()


def main():
    if sys.argv[1:] == ['--check']:
        right = FILE.read_text() == hall()
        print('ok' if right else f'{FILE.name}: not what make_hall.py makes')
        sys.exit(0 if right else 1)
    FILE.write_text(hall())


if __name__ == '__main__':
    main()
