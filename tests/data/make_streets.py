#!/usr/bin/env python3
"""Prints deploy/maps/streets.json: a town's crossroads as a waypoint graph.

12 x 9 crossroads about 20 m apart, some streets missing, some one-way.
"""

import json
import random

WIDTH, HEIGHT = 12, 9


def crossroads(x, y):
    return y * WIDTH + x + 1


def main():
    random.seed(7)
    nodes = []
    edges = []
    for y in range(HEIGHT):
        for x in range(WIDTH):
            place = [round(20 * v + random.uniform(-6, 6), 1) for v in (x, y)]
            nodes.append({'id': crossroads(x, y), 'position': [place[0], 0, place[1]]})
    for y in range(HEIGHT):
        for x in range(WIDTH):
            for to_x, to_y in ((x + 1, y), (x, y + 1)):
                if to_x == WIDTH or to_y == HEIGHT or random.random() > 0.88:
                    continue
                edge = {'from': crossroads(x, y), 'to': crossroads(to_x, to_y)}
                if random.random() < 0.12:
                    edge['both'] = False
                edges.append(edge)
    lists = [(name, ',\n  '.join(map(json.dumps, values))) for name, values in (('nodes', nodes), ('edges', edges))]
    print('{\n' + ',\n'.join(f' "{name}": [\n  {text}\n ]' for name, text in lists) + '\n}')


main()
