#!/usr/bin/env python3
"""Writes tests/data/meshes/estate.mset: ground of several flags and heights, as a Detour tile set with one tile.

Drawn as squares of two units, each a polygon, turned by the angle of the 3-4-5 triangle. With --check it writes nothing and ends with
1 if the file is not what it would write.

    .  paved, flag 1     w  water, flag 2     d  door, flag 4     b  a door under water, flags 2 and 4
    1 2 3  a ramp, which rises by a unit a square from north to south, to the bridge     #  no ground
"""

import pathlib
import struct
import sys

FILE = pathlib.Path(__file__).parent / 'meshes' / 'estate.mset'
SIDE = 2
BRIDGE = 3  # height

GROUND = '''
    ....................
    .#..###.#.#.######..
    .#1#.wwwwwwwwww..#..
    .#2#.w..#d#..ww.....
    .#3#.w.......ww..#..
    ..#..w..#.#..wwww#..
    ..#..wwwwwwwwwww....
    .###d####d######.##.
    .....#......#...d...
    .###.d.#.##.#b###.#.
    .wwwwwwwww#..wwww.#.
    .w.####.wwwwwwwwwww.
    .w.#..d.w..#....#.w.
    .www..#.www#.##.#ww.
    ....................
    '''.split()

ABOVE = '''
    ####################
    ####################
    ####################
    ####################
    ####################
    ##.#################
    ##.##...#...########
    ##......d...########
    ###.########.#######
    ###.########.#######
    ###..............###
    ####################
    ####################
    ####################
    ####################
    '''.split()

FLAGS = {'.': 1, 'w': 2, 'd': 4, 'b': 6, '1': 1, '2': 1, '3': 1}


def turned(x, z):
    return (3 * x - 4 * z) * SIDE / 5, (4 * x + 3 * z) * SIDE / 5


def squares():
    """(x, z, height at z, height at z + 1, flags) of each."""
    for drawn, height in ((GROUND, 0), (ABOVE, BRIDGE)):
        for z, row in enumerate(drawn):
            for x, kind in enumerate(row):
                if kind in '123':
                    yield x, z, int(kind) - 1, int(kind), FLAGS[kind]
                elif kind != '#':
                    yield x, z, height, height, FLAGS[kind]


def tile():
    vertices, polygons = {}, []
    for x, z, low, high, flags in squares():
        corners = [(x, low, z), (x, low, z + 1), (x + 1, low, z + 1), (x + 1, low, z)]  # clockwise from above
        corners = [(cx, high if cz > z else low, cz) for cx, _, cz in corners]
        polygons.append(([vertices.setdefault(c, len(vertices)) for c in corners], flags))
    sides = {(p[k], p[(k + 1) % 4]): i for i, (p, _) in enumerate(polygons) for k in range(4)}
    points = [(*turned(x, z), y) for x, y, z in vertices]
    low = [min(p[k] for p in points) for k in (0, 2, 1)]
    high = [max(p[k] for p in points) for k in (0, 2, 1)]
    links = 4 * len(polygons)
    data = struct.pack('<4s5i', b'VAND', 7, 0, 0, 0, 0)
    data += struct.pack('<9i', len(polygons), len(vertices), links, 0, 0, 0, 0, 0, len(polygons))
    data += struct.pack('<10f', 2, 0.5, 0.5, *low, *high, 1)
    for x, z, y in points:
        data += struct.pack('<3f', x, y, z)
    for corners, flags in polygons:
        beyond = [sides.get((corners[(k + 1) % 4], corners[k]), -1) + 1 for k in range(4)]  # 0: none
        data += struct.pack('<I6H6HHBB', 0xffffffff, *corners, 0, 0, *beyond, 0, 0, flags, 4, 0)
    return data + bytes(12 * links)


def file():
    data = tile()
    origin = struct.unpack_from('<3f', data, 72)
    size = max(len(GROUND), len(GROUND[0])) * SIDE * 2
    return struct.pack('<4s2i5f2i2i', b'TESM', 1, 1, *origin, size, size, 1, 1 << 14, 1 << 16, len(data)) + data


def main():
    if sys.argv[1:] != ['--check']:
        FILE.write_bytes(file())
    elif FILE.read_bytes() != file():
        sys.exit('estate.mset: not what make_estate.py makes')


if __name__ == '__main__':
    main()
