#!/usr/bin/env python3
"""Makes the project's own maps and scenarios; the README beside says what each is for.

    tests/data/make_maps.py           # writes the files
    tests/data/make_maps.py --check   # exit 1 if a committed file is not what this program makes
"""

import pathlib
import sys

sys.dont_write_bytecode = True
import harbour  # noqa: E402
from worlds import Random, Raster, distances, largest_part  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MAPS = HERE / 'maps'
DEPLOY = HERE.parents[1] / 'deploy' / 'maps'


def house(raster, random, x0, y0, x1, y1):
    """A house with one or two doors and, when it is large, a wall with a gap inside."""
    raster.frame(x0, y0, x1, y1, '@')
    for _ in range(random.between(1, 2)):
        if random.chance(50):
            raster.put(random.between(x0 + 1, x1 - 2), random.chance(50) and y0 or y1 - 1, '.')
        else:
            raster.put(random.chance(50) and x0 or x1 - 1, random.between(y0 + 1, y1 - 2), '.')
    if x1 - x0 >= 11 and y1 - y0 >= 7:
        middle = (x0 + x1) // 2
        raster.fill(middle, y0 + 1, middle + 1, y1 - 1, '@')
        raster.put(middle, random.between(y0 + 2, y1 - 3), '.')


def town(random):
    """Streets of three widths around blocks of houses with doors; here and there a square with trees."""
    raster = Raster(256, 256)
    y = 3
    while y + 14 < 254:
        deep = random.between(14, 22)
        x = 3
        while x + 14 < 254:
            wide = random.between(14, 26)
            x1, y1 = min(x + wide, 253), min(y + deep, 253)
            if random.chance(12):
                for _ in range(10):
                    raster.put(random.between(x, x1 - 1), random.between(y, y1 - 1), 'T')
            else:
                left = x
                while left + 6 <= x1:
                    right = min(left + random.between(6, 12), x1)
                    right = x1 if x1 - right < 6 else right
                    cut = random.between(y + 6, y1 - 6) if y1 - y >= 13 else y1
                    house(raster, random, left, y, right, cut)
                    if y1 - cut >= 5:
                        house(raster, random, left, cut, right, y1)
                    left = right
            x = x1 + random.between(2, 4)
        y += deep + random.between(2, 4)
    return raster


def rooms(random):
    """Rooms of 7 x 7 behind walls; most walls have one gap, so that a shut door means a long way round."""
    raster = Raster(128, 128)
    for line in range(0, 128, 8):
        raster.fill(line, 0, line + 1, 128, '@')
        raster.fill(0, line, 128, line + 1, '@')
    raster.fill(121, 0, 128, 128, '@')
    raster.fill(0, 121, 128, 128, '@')
    for i in range(15):
        for j in range(15):
            x, y = 8 * i, 8 * j
            if i > 0 and random.chance(85):
                raster.put(x, y + random.between(1, 7), '.')
            if j > 0 and random.chance(85):
                raster.put(x + random.between(1, 7), y, '.')
    return raster


def maze(random):
    """A maze of corridors one cell wide, some of them two; a few walls are missing, so that it has rings."""
    raster = Raster(129, 129, '@')
    raster.put(1, 1, '.')
    stack = [(1, 1)]
    while stack:
        x, y = stack[-1]
        for dx, dy in random.shuffled([(2, 0), (-2, 0), (0, 2), (0, -2)]):
            if raster.inside(x + dx, y + dy) and raster.at(x + dx, y + dy) == '@':
                raster.put(x + dx // 2, y + dy // 2, '.')
                raster.put(x + dx, y + dy, '.')
                stack.append((x + dx, y + dy))
                break
        else:
            stack.pop()
    for _ in range(240):
        raster.put(random.between(1, 127), 2 * random.between(0, 63) + 1, '.')
    for _ in range(60):
        x, y, length = random.between(1, 110), 2 * random.between(1, 62), random.between(4, 12)
        raster.fill(x, y, x + length, y + 1, '.')
    return raster


def caves(random):
    """A cellular automaton: 45 % rock, five rounds of 'what most neighbours are'."""
    raster = Raster(200, 200, '@')
    for y in range(1, 199):
        for x in range(1, 199):
            raster.put(x, y, '@' if random.chance(45) else '.')
    for _ in range(5):
        older = [row[:] for row in raster.rows]
        for y in range(1, 199):
            for x in range(1, 199):
                rock = sum(older[y + j][x + i] == '@' for i in (-1, 0, 1) for j in (-1, 0, 1))
                raster.put(x, y, '@' if rock >= 5 else '.')
    return raster


def open_field(random):
    """Open ground with pools, swamp around them, and single trees: many equally good ways."""
    raster = Raster(64, 64)
    for _ in range(6):
        x, y, radius = random.between(8, 55), random.between(8, 55), random.between(2, 5)
        raster.disc(x, y, radius + 3, 'S', only='.')
        raster.disc(x, y, radius, 'W')
    for _ in range(90):
        x, y = random.below(64), random.below(64)
        if raster.at(x, y) == '.':
            raster.put(x, y, 'T')
    return raster


def scenario(name, raster, random, starts):
    """Version 1: five goals for each of `starts` starts, lengths by Dijkstra; one goal is the farthest."""
    part = largest_part(raster)
    rows = []
    for _ in range(starts):
        start = part[random.below(len(part))]
        length = distances(raster, start)
        farthest = max(length, key=lambda cell: (length[cell], cell))
        goals = [part[random.below(len(part))] for _ in range(4)] + [farthest]
        rows += [(length[goal], start, goal) for goal in goals]
    rows.sort()
    text = 'version 1\n'
    for optimum, start, goal in rows:
        fields = [int(optimum // 4), name, raster.width, raster.height, *start, *goal, f'{optimum:.8f}']
        text += '\t'.join(str(field) for field in fields) + '\n'
    return text


def gates(random):
    """Version 2: a field of 48 x 48, three walls with three gates each, and gates that open and shut.

    Gives the patch file and the scenario. Sometimes every gate of a wall is shut: no path then.
    """
    wall, gate_open, gate_shut = 0, 1, 2
    patches = [['@'] * 48, ['.'] * 4, ['@'] * 4]
    raster = Raster(48, 48)
    commands = []

    def place(patch, x, y):
        commands.append(f'P 0 {patch} {x} {y}')
        for dy, row in enumerate(patches[patch]):
            raster.fill(x, y + dy, x + len(row), y + dy + 1, row)

    columns, shut = (11, 23, 35), set()
    for x in columns:
        place(wall, x, 0)
        for y in (6, 22, 38):
            place(gate_open, x, y)
    for _ in range(60):
        for _ in range(random.between(1, 3)):
            gate = (columns[random.below(3)], (6, 22, 38)[random.below(3)])
            place(gate_open if gate in shut else gate_shut, *gate)
            shut ^= {gate}
        for _ in range(random.between(1, 3)):
            free = raster.free_cells()
            start, goal = free[random.below(len(free))], free[random.below(len(free))]
            optimum = distances(raster, start).get(goal)
            printed = '-1' if optimum is None else f'{optimum:.6f}'
            commands.append(f'Q 0 {start[0]} {start[1]} {goal[0]} {goal[1]} {printed}')
    patch_text = f'type patch\npatches {len(patches)}\n'
    for i, rows in enumerate(patches):
        patch_text += f'patch {i}\nheight {len(rows)}\nwidth {len(rows[0])}\nmap\n' + '\n'.join(rows) + '\n'
    head = 'version 2\nheight 48\nwidth 48\ncost 1 octile\npatch gates_48.patch\ncommands\n'
    return patch_text, head + '\n'.join(commands) + '\n'


def files():
    """Every file this program makes: path -> text."""
    made = {}
    makers = [('town_256', town, 12), ('rooms_128', rooms, 12), ('maze_129', maze, 12),
              ('caves_200', caves, 12), ('open_64', open_field, 20)]
    for seed, (name, maker, starts) in enumerate(makers, start=1):
        random = Random(seed)
        raster = maker(random)
        made[MAPS / f'{name}.map'] = raster.text()
        made[MAPS / f'{name}.map.scen'] = scenario(f'{name}.map', raster, random, starts)
    patch, commands = gates(Random(6))
    made[MAPS / 'gates_48.patch'] = patch
    made[MAPS / 'gates_48.scen'] = commands
    made[DEPLOY / 'harbour.map'] = harbour.harbour(Random(7)).text()
    return made


def main():
    wrong = 0
    for path, text in files().items():
        if sys.argv[1:] == ['--check']:
            if not path.exists() or path.read_text() != text:
                print(f'{path}: not what make_maps.py makes')
                wrong += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(path)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
