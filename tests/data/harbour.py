"""The map of the demonstration: a harbour town, 256 x 192 cells.

The sea lies in the south, a river comes down in the east. Between them a walled town with a market, a church and
quays; woods in the north west, fields and swamp by the river, a hamlet and a lighthouse on the far bank. Three gates
and three bridges are the doors of this world.
"""

import math

from worlds import Raster

WIDTH, HEIGHT = 256, 192
WALL = (52, 44, 176, 128)                        # of the town, half-open; its south side is the quay
GATES = [(104, 44), (52, 84), (174, 92)]         # north, west, east: top left cells of 4 cells in the wall
BRIDGES = [28, 92, 120]                          # rows where a road crosses the river


def coast(x):
    return 138 + 5 * math.sin(x / 23.0) + 3 * math.sin(x / 9.0 + 1)


def river(y):
    return 206 + 10 * math.sin(y / 21.0) + 3 * math.sin(y / 8.0)


def nature(raster, random):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if y > coast(x):
                raster.put(x, y, 'W')
    for y in range(HEIGHT):
        wide = 3.2 + 0.8 * math.sin(y / 13.0)
        for x in range(WIDTH):
            from_river = abs(x - river(y))
            if from_river < wide:
                raster.put(x, y, 'W')
            elif from_river < wide + 4 + 4 * math.sin(y / 11.0) and y < 80 and raster.at(x, y) == '.':
                raster.put(x, y, 'S')
    # Woods: clumps of trees with room to walk between them.
    for _ in range(230):
        x, y = random.between(2, 100), random.between(2, 36)
        raster.disc(x, y, random.between(0, 2), 'T', only='.')
    for _ in range(70):
        x, y = random.between(2, 44), random.between(36, 128)
        raster.disc(x, y, random.between(0, 2), 'T', only='.')
    # A pond in the woods, and reeds around it.
    raster.disc(30, 60, 9, 'S')
    raster.disc(30, 60, 6, 'W')


def fields(raster, random):
    """Hedges around fields in the north, with a gap or two in each; an orchard in rows."""
    for x0 in (112, 136, 160):
        for y0 in (4, 22):
            raster.fill(x0, y0, x0 + 23, y0 + 17, '.')
            raster.frame(x0, y0, x0 + 23, y0 + 17, 'T')
            raster.fill(x0 + random.between(3, 17), y0, x0 + 20, y0 + 1, '.')
            gap = y0 + random.between(3, 10)
            raster.fill(x0, gap, x0 + 1, gap + 3, '.')
            raster.fill(x0 + 22, gap + 2, x0 + 23, gap + 5, '.')
    for y in range(8, 40, 3):
        for x in range(228, 250, 3):
            raster.put(x, y, 'T')


def house(raster, random, x0, y0, x1, y1):
    """Walls, a door of one cell on the street side, and sometimes a second room."""
    raster.frame(x0, y0, x1, y1, '@')
    doors = random.shuffled([(random.between(x0 + 1, x1 - 2), y0), (random.between(x0 + 1, x1 - 2), y1 - 1),
                             (x0, random.between(y0 + 1, y1 - 2)), (x1 - 1, random.between(y0 + 1, y1 - 2))])
    for x, y in doors[:random.between(2, 3)]:
        raster.put(x, y, '.')
    if x1 - x0 >= 9 and y1 - y0 >= 5:
        middle = (x0 + x1) // 2
        raster.fill(middle, y0 + 1, middle + 1, y1 - 1, '@')
        raster.put(middle, random.between(y0 + 1, y1 - 2), '.')


def split(random, x0, y0, x1, y1, least, street):
    """Cuts a rectangle along streets until its parts are smaller than twice `least`; gives the parts."""
    wide, high = x1 - x0, y1 - y0
    if max(wide, high) < 2 * least + street:
        return [(x0, y0, x1, y1)]
    if wide >= high:
        cut = random.between(x0 + least, x1 - least - street)
        return (split(random, x0, y0, cut, y1, least, max(1, street - 1)) +
                split(random, cut + street, y0, x1, y1, least, max(1, street - 1)))
    cut = random.between(y0 + least, y1 - least - street)
    return (split(random, x0, y0, x1, cut, least, max(1, street - 1)) +
            split(random, x0, cut + street, x1, y1, least, max(1, street - 1)))


def town(raster, random):
    x0, y0, x1, y1 = WALL
    raster.fill(x0, y0, x1, y1, '.')
    raster.fill(x0, y0, x1, y0 + 2, '@')
    raster.fill(x0, y0, x0 + 2, y1, '@')
    raster.fill(x1 - 2, y0, x1, y1, '@')
    for x, y in [(x0, y0), (x1 - 2, y0), (x0, y1 - 3), (x1 - 2, y1 - 3)]:
        raster.disc(x + 0.5, y + 0.5, 3, '@')
    # Quarters lie on either side of two main streets that lead from gate to gate.
    quarters = [(56, 48, 102, 82), (110, 48, 172, 90), (56, 90, 102, 116), (110, 98, 172, 116)]
    market = (116, 62, 146, 84)
    for quarter in quarters:
        for lot in split(random, *quarter, 7, 4):
            ax, ay, bx, by = lot
            if ax < market[2] and bx > market[0] and ay < market[3] and by > market[1]:
                continue
            if bx - ax >= 5 and by - ay >= 5:
                house(raster, random, *lot)
    market_square(raster, *market)
    for x, y in GATES:
        upright = x != 104
        raster.fill(x, y, x + (2 if upright else 4), y + (4 if upright else 2), '.')


def market_square(raster, x0, y0, x1, y1):
    raster.disc(x0 + 8, (y0 + y1) // 2, 2, 'W')                  # the fountain
    for x in range(x0 + 1, x1, 6):
        raster.put(x, y0, 'T')
        raster.put(x, y1 - 1, 'T')
    raster.fill(x1 - 14, y0 + 6, x1 - 2, y0 + 15, '@')            # the church: nave, tower, two doors
    raster.fill(x1 - 13, y0 + 7, x1 - 3, y0 + 14, '.')
    raster.fill(x1 - 16, y0 + 8, x1 - 13, y0 + 13, '@')
    raster.put(x1 - 8, y0 + 14, '.')
    raster.put(x1 - 3, y0 + 10, '.')
    raster.put(x1 - 2, y0 + 10, '.')
    for x in (x1 - 11, x1 - 8, x1 - 5):
        raster.put(x, y0 + 9, '@')
        raster.put(x, y0 + 12, '@')


def quays(raster):
    """A straight quay along the town, piers into the basin, and two moles that shelter it, walled on the sea side."""
    raster.fill(54, 118, 174, 131, '.')
    raster.fill(58, 131, 170, 170, 'W')
    for x in (68, 86, 104, 122, 140, 158):
        raster.fill(x, 131, x + 3, 150, '.')
        raster.fill(x - 3, 140, x + 6, 142, '.')
    for x in (62, 80, 98, 116, 134, 152):                         # warehouses
        raster.frame(x, 121, x + 13, 127, '@')
        raster.put(x + 6, 126, '.')
        raster.put(x + 2, 121, '.')
    raster.fill(52, 124, 54, 169, '@')                            # the west mole
    raster.fill(54, 131, 58, 169, '.')
    raster.fill(54, 166, 101, 169, '.')
    raster.fill(52, 169, 101, 171, '@')
    raster.fill(174, 124, 176, 175, '@')                          # the east mole
    raster.fill(170, 131, 174, 175, '.')
    raster.fill(123, 172, 174, 175, '.')
    raster.fill(123, 175, 176, 177, '@')
    for x, y in ((101, 167), (123, 173)):                         # a beacon on the head of each
        raster.disc(x, y, 3.5, '.')
        raster.disc(x, y, 1, '@')


def far_bank(raster, random):
    """A hamlet along the road, and the lighthouse on its cape."""
    for x, y in ((222, 52), (236, 54), (224, 66), (238, 68), (220, 80), (236, 82), (224, 100), (238, 102)):
        house(raster, random, x, y, x + random.between(8, 10), y + random.between(6, 8))
    raster.disc(232, 150, 12, '.')
    raster.fill(228, 130, 236, 150, '.')
    raster.disc(232, 152, 4, '@')
    raster.disc(232, 152, 2, '.')
    raster.put(232, 148, '.')
    raster.put(232, 149, '.')


def roads(raster):
    """Roads from the gates over the bridges; what stands on them gives way."""
    for y in BRIDGES:
        raster.fill(176, y, 250, y + 3, '.')
    raster.fill(104, 0, 108, 46, '.')
    raster.fill(0, 85, 56, 88, '.')
    raster.fill(248, 26, 251, 136, '.')
    raster.fill(226, 126, 229, 143, '.')


def harbour(random):
    raster = Raster(WIDTH, HEIGHT)
    nature(raster, random)
    fields(raster, random)
    far_bank(raster, random)
    roads(raster)
    town(raster, random)
    quays(raster)
    return raster
