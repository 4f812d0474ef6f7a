#!/usr/bin/env python3
"""Writes deploy/maps/countries.json: sixteen countries as a waypoint graph, as on the map of a board game of conquest.

One node for each country, at its middle, in kilometres (x to the east, z to the south). An edge joins two countries that share a
border; it costs the straight distance. Crossings by sea have area 1 and flags 2, so a profile can make them dear or exclude them.
With --check it writes nothing and ends with 1 if the file is not what it would write.
"""

import json
import pathlib
import sys

FILE = pathlib.Path(__file__).parents[2] / 'deploy' / 'maps' / 'countries.json'
SEA = {'area': 1, 'flags': 2}

COUNTRIES = {
    'Portugal': (-700, 1150),
    'Spain': (-350, 1100),
    'France': (150, 600),
    'Ireland': (-600, -50),
    'Britain': (-150, 0),
    'Low Countries': (350, 150),
    'Denmark': (650, -250),
    'Norway': (600, -900),
    'Sweden': (950, -750),
    'Finland': (1550, -950),
    'Germany': (700, 200),
    'Poland': (1250, 150),
    'Austria': (950, 550),
    'Italy': (750, 1000),
    'Hungary': (1300, 600),
    'Greece': (1500, 1300),
}

BORDERS = '''
    Portugal: Spain
    Spain: France
    France: Low Countries, Germany, Italy
    Low Countries: Germany
    Denmark: Germany
    Norway: Sweden, Finland
    Sweden: Finland
    Germany: Poland, Austria
    Poland: Hungary
    Austria: Italy, Hungary
    Hungary: Greece
    '''

CROSSINGS = '''
    Ireland: Britain
    Britain: France, Low Countries, Norway
    Denmark: Sweden, Norway
    Sweden: Poland
    Italy: Greece
    '''


def pairs(text):
    for line in text.strip().splitlines():
        one, others = line.strip().split(': ')
        for other in others.split(', '):
            yield one, other


def document():
    number = {name: i + 1 for i, name in enumerate(COUNTRIES)}
    nodes = [{'id': number[name], 'position': [x, 0, z]} for name, (x, z) in COUNTRIES.items()]
    edges = [{'from': number[a], 'to': number[b]} for a, b in pairs(BORDERS)]
    edges += [{'from': number[a], 'to': number[b], **SEA} for a, b in pairs(CROSSINGS)]
    lists = [(name, ',\n  '.join(map(json.dumps, values))) for name, values in (('nodes', nodes), ('edges', edges))]
    return '{\n' + ',\n'.join(f' "{name}": [\n  {text}\n ]' for name, text in lists) + '\n}\n'


def main():
    if sys.argv[1:] == ['--check']:
        right = FILE.read_text() == document()
        print('ok' if right else f'{FILE.name}: not what make_countries.py makes')
        sys.exit(0 if right else 1)
    FILE.write_text(document())


if __name__ == '__main__':
    main()
