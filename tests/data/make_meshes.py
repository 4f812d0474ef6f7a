#!/usr/bin/env python3
"""Writes the project's own meshes and their scenarios: tests/data/meshes/*.mesh and *.scen.

Drawn as squares, joined into rectangles, turned by the angle of the 3-4-5 triangle, so that nothing lies along an axis and every
coordinate is a whole number of 0.02 units. Lengths come from a visibility graph over the squares, with integers and one square root
a segment; tests compute them again with a model of their own. With --check it writes nothing and ends with 1 if a file is not what
it would write.
"""

import heapq
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).parent / 'meshes'
SCALE = 10  # points are whole tenths of a square

DRAWN = {
    'courtyard': '''
        ........................
        .####.######.#########..
        .#........#..........#..
        .#.######.#.#####....#..
        .#.#....#.#.....#....#..
        .#.#....#.#.....#.......
        .#.#......#.#####....#..
        .#.#....#............#..
        .#.##.###.########.###..
        .#......................
        .#.##.##.##..######.....
        ...##.##.##.......#.....
        .#................#.....
        .#.########.##.####.....
        .............#..........
        ''',
    'shelves': '''
        ..................
        .####.####.#####..
        ..................
        .####.####.#####..
        ..................
        .##.##.##.#####.#.
        ..................
        .####.....####.##.
        ..................
        ''',
}


class Squares:
    def __init__(self, text):
        self.rows = text.split()
        self.width, self.height = len(self.rows[0]), len(self.rows)
        for y in range(self.height - 1):
            for x in range(self.width - 1):
                corner = [self.free(x, y), self.free(x + 1, y), self.free(x, y + 1), self.free(x + 1, y + 1)]
                assert corner not in ([True, False, False, True], [False, True, True, False]), (x, y)

    def free(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] == '.'

    def sees(self, a, b):
        """Whether the segment between two points (tenths) keeps out of blocked ground."""
        (ax, ay), (bx, by) = a, b
        for y in range(min(ay, by) // SCALE - 1, max(ay, by) // SCALE + 2):
            for x in range(min(ax, bx) // SCALE - 1, max(ax, bx) // SCALE + 2):
                if not self.free(x, y) and cuts(a, b, x * SCALE, y * SCALE):
                    return False
        for k, along, other in ((0, 1, 0), (1, 0, 1)):  # on a line of the squares: one side must be free
            if a[k] == b[k] and a[k] % SCALE == 0:
                low, high = sorted((a[along], b[along]))
                for i in range(low // SCALE, (high + SCALE - 1) // SCALE):
                    line = a[k] // SCALE
                    sides = [(line - 1, i), (line, i)] if other == 0 else [(i, line - 1), (i, line)]
                    if not any(self.free(*side) for side in sides):
                        return False
        return True

    def corners(self):
        return [(x * SCALE, y * SCALE) for y in range(self.height + 1) for x in range(self.width + 1)
                if sum(self.free(x - i, y - j) for i in (0, 1) for j in (0, 1)) == 3]


def cuts(a, b, left, top):
    """Whether the segment has a point inside of the open square: by the range of the segment that is within, as fractions."""
    low, low_of, high, high_of = 0, 1, 1, 1
    for start, end, near in ((a[0], b[0], left), (a[1], b[1], top)):
        step = end - start
        if step == 0:
            if not near < start < near + SCALE:
                return False
            continue
        enter, leave = (near - start, near + SCALE - start) if step > 0 else (start - near - SCALE, start - near)
        step = abs(step)
        if enter * low_of > low * step:
            low, low_of = enter, step
        if leave * high_of < high * step:
            high, high_of = leave, step
    return low * high_of < high * low_of


def shortest(squares, corners, graph, start, goal):
    """Dijkstra over start, corners and goal; None if there is no path."""
    if squares.sees(start, goal):
        return math.dist(start, goal)
    best = {}
    queue = [(math.dist(start, c), i) for i, c in enumerate(corners) if squares.sees(start, c)]
    heapq.heapify(queue)
    ends = {i: math.dist(c, goal) for i, c in enumerate(corners) if squares.sees(c, goal)}
    found = math.inf
    while queue:
        g, i = heapq.heappop(queue)
        if i in best:
            continue
        best[i] = g
        found = min(found, g + ends.get(i, math.inf))
        for j, d in graph[i]:
            if j not in best:
                heapq.heappush(queue, (g + d, j))
    return None if found == math.inf else found


def rectangles(squares):
    """Free squares as rectangles (left, top, right, bottom): as wide as they go, then as deep."""
    taken = set()
    for y in range(squares.height):
        for x in range(squares.width):
            if not squares.free(x, y) or (x, y) in taken:
                continue
            right, bottom = x + 1, y + 1
            while squares.free(right, y) and (right, y) not in taken:
                right += 1
            while all(squares.free(i, bottom) and (i, bottom) not in taken for i in range(x, right)):
                bottom += 1
            taken |= {(i, j) for i in range(x, right) for j in range(y, bottom)}
            yield x, y, right, bottom


def turned(point):
    x, y = point
    return f'{(3 * x - 4 * y) / 5:.6g}', f'{(4 * x + 3 * y) / 5:.6g}'


def mesh_text(squares):
    boxes = list(rectangles(squares))
    vertices = sorted({(x, y) for l, t, r, b in boxes for x in (l, r) for y in (t, b)})
    number = {v: i for i, v in enumerate(vertices)}
    owner = {(x, y): p for p, (l, t, r, b) in enumerate(boxes) for x in range(l, r) for y in range(t, b)}
    polygons = []
    for l, t, r, b in boxes:
        rim = ([(x, t) for x in range(l, r)] + [(r, y) for y in range(t, b)] +
               [(x, b) for x in range(r, l, -1)] + [(l, y) for y in range(b, t, -1)])
        polygons.append([number[v] for v in rim if v in number])
    sides = {(p[k], p[(k + 1) % len(p)]): i for i, p in enumerate(polygons) for k in range(len(p))}
    lines = ['mesh', '2', f'{len(vertices)} {len(polygons)}']
    for x, y in vertices:
        around = [owner.get(s, -1) for s in ((x, y), (x - 1, y), (x - 1, y - 1), (x, y - 1))]
        around = [p for k, p in enumerate(around) if p != around[k - 1]] or around[:1]
        lines.append(' '.join([*turned((x, y)), str(len(around)), *map(str, around)]))
    for p in polygons:
        across = [sides.get((p[k], p[k - 1]), -1) for k in range(len(p))]  # first across the edge from the last corner
        lines.append(' '.join(map(str, [len(p), *p, *across])))
    return '\n'.join(lines) + '\n'


def scen_text(name, squares, queries):
    corners = squares.corners()
    graph = [[(j, math.dist(c, d)) for j, d in enumerate(corners) if j != i and squares.sees(c, d)]
             for i, c in enumerate(corners)]
    chosen = random.Random(7)
    free = [(x, y) for y in range(squares.height) for x in range(squares.width) if squares.free(x, y)]

    def point():
        x, y = chosen.choice(free)
        return x * SCALE + chosen.randint(0, SCALE), y * SCALE + chosen.randint(0, SCALE)

    lines = ['version 1']
    while len(lines) <= queries:
        start, goal = point(), point()
        length = shortest(squares, corners, graph, start, goal)
        if length is None:
            continue
        ends = [f for p in (start, goal) for f in turned((p[0] / SCALE, p[1] / SCALE))]
        lines.append('\t'.join([str(int(length / SCALE) // 4), f'{name}.mesh', '1', '1', *ends, f'{length / SCALE:.8f}']))
    return '\n'.join(lines) + '\n'


def files():
    """name -> text of each file."""
    for name, text in DRAWN.items():
        squares = Squares(text)
        yield f'{name}.mesh', mesh_text(squares)
        yield f'{name}.scen', scen_text(name, squares, 100)


def main():
    if sys.argv[1:] == ['--check']:
        wrong = [name for name, text in files() if (FOLDER / name).read_text() != text]
        print('\n'.join(f'{name}: not what make_meshes.py makes' for name in wrong) or 'ok')
        sys.exit(1 if wrong else 0)
    FOLDER.mkdir(exist_ok=True)
    for name, text in files():
        (FOLDER / name).write_text(text)


if __name__ == '__main__':
    main()
