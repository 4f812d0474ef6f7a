"""What the map makers share: a raster of characters, random numbers that never change, and a plain search.

Characters are those of the Moving AI format: '.' free, 'S' swamp (free), '@' wall, 'T' trees, 'W' water.
"""

import heapq
import math

FREE = '.S'


class Random:
    """splitmix64: the same numbers on every machine and in every version of Python."""

    def __init__(self, seed):
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return z ^ (z >> 31)

    def below(self, n):
        return self.bits() % n

    def between(self, low, high):
        """An integer in [low, high]."""
        return low + self.below(high - low + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Raster:
    """width x height characters; (0, 0) is the top left corner. Drawing outside is ignored."""

    def __init__(self, width, height, fill='.'):
        self.width, self.height = width, height
        self.rows = [[fill] * width for _ in range(height)]

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def at(self, x, y):
        return self.rows[y][x] if self.inside(x, y) else '@'

    def free(self, x, y):
        return self.at(x, y) in FREE

    def put(self, x, y, c):
        if self.inside(x, y):
            self.rows[y][x] = c

    def fill(self, x0, y0, x1, y1, c):
        """The half-open rectangle [x0, x1) x [y0, y1)."""
        for y in range(max(0, y0), min(self.height, y1)):
            for x in range(max(0, x0), min(self.width, x1)):
                self.rows[y][x] = c

    def frame(self, x0, y0, x1, y1, c):
        """The outline of the half-open rectangle, one cell thick."""
        self.fill(x0, y0, x1, y0 + 1, c)
        self.fill(x0, y1 - 1, x1, y1, c)
        self.fill(x0, y0, x0 + 1, y1, c)
        self.fill(x1 - 1, y0, x1, y1, c)

    def disc(self, cx, cy, radius, c, only=None):
        for y in range(int(cy - radius) - 1, int(cy + radius) + 2):
            for x in range(int(cx - radius) - 1, int(cx + radius) + 2):
                near = (x - cx) ** 2 + (y - cy) ** 2 <= radius * radius
                if near and self.inside(x, y) and (only is None or self.at(x, y) in only):
                    self.put(x, y, c)

    def free_cells(self):
        return [(x, y) for y in range(self.height) for x in range(self.width) if self.free(x, y)]

    def text(self):
        head = f'type octile\nheight {self.height}\nwidth {self.width}\nmap\n'
        return head + ''.join(''.join(row) + '\n' for row in self.rows)


STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]


def distances(raster, start):
    """Dijkstra: octile lengths from `start` to every cell that can be reached; no corner is cut."""
    best = {start: 0.0}
    heap = [(0.0, start)]
    done = set()
    while heap:
        length, (x, y) = heapq.heappop(heap)
        if (x, y) in done:
            continue
        done.add((x, y))
        for dx, dy in STEPS:
            to = (x + dx, y + dy)
            if not raster.free(*to) or not raster.free(x + dx, y) or not raster.free(x, y + dy):
                continue
            other = length + (math.sqrt(2) if dx and dy else 1.0)
            if other < best.get(to, math.inf):
                best[to] = other
                heapq.heappush(heap, (other, to))
    return best


def largest_part(raster):
    """The cells of the largest 4-connected part, in row order."""
    left, largest = set(raster.free_cells()), []
    for first in raster.free_cells():
        if first not in left:
            continue
        left.discard(first)
        part = [first]
        for x, y in part:
            for dx, dy in STEPS[:4]:
                if (x + dx, y + dy) in left:
                    left.discard((x + dx, y + dy))
                    part.append((x + dx, y + dy))
        if len(part) > len(largest):
            largest = part
    return sorted(largest, key=lambda cell: (cell[1], cell[0]))
