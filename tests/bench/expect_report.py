#!/usr/bin/env python3
"""Runs repath-bench report and checks the page: plots, no script, nothing loaded from elsewhere, and in its tables the very figures of
the JSON beside it; the plot that is a file of its own has a dot for each.

    expect_report.py REPATH_BENCH [ARGUMENT...]     (the folder is a new one that is removed afterwards)
"""

import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
        self.links = []
        self.tables = []
        self.cell = None

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ('href', 'src')]
        if tag == 'table':
            self.tables.append([])
        elif tag == 'tr':
            self.tables[-1].append([])
        elif tag in ('td', 'th'):
            self.cell = ''

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.tables[-1][-1].append(self.cell)
            self.cell = None


def figures_of(table):
    keys, *rows = table
    return [dict(zip(keys, row)) for row in rows]


def same(shown, value):
    if value is None:
        return shown == '–'
    return shown == value if isinstance(value, str) else float(shown) == value


def problems(folder):
    page = Page()
    page.feed((folder / 'index.html').read_text())
    if 'script' in page.tags:
        yield 'the page has a script'
    if 'svg' not in page.tags or 'circle' not in page.tags:
        yield 'the page has no plot'
    files = sorted(file.name for file in folder.glob('*.json'))
    if sorted(page.links) != files:
        yield f'links {page.links}, files {files}'
    printed = [json.loads((folder / name).read_text())['results'] for name in page.links]
    if len(printed) != len(page.tables):
        yield f'{len(page.tables)} tables of {len(printed)} files'
    if 'scale.json' in files:
        sides = json.loads((folder / 'scale.json').read_text())['results']
        dots = xml.etree.ElementTree.parse(folder / 'scale.svg').iter('{http://www.w3.org/2000/svg}circle')
        titles = [dot[0].text for dot in dots if dot[0].text.count(', ')]
        drawn = [row for row in sides if row['op'] in ('edit', 'replan', 'cut_off', 'reopened', 'query', 'query_hpa')]
        if len(titles) != sum(row['p50_us'] > 0 for row in drawn):
            yield f'scale.svg has {titles}'
    for rows, table in zip(printed, page.tables):
        shown = figures_of(table)
        if len(shown) != len(rows):
            yield f'{len(shown)} rows of {len(rows)}'
        for row, line in zip(rows, shown):
            if row.keys() != line.keys() or not all(same(line[key], row[key]) for key in row):
                yield f'shown {line}, printed {row}'


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / 'report'
        run = subprocess.run([sys.argv[1], 'report', str(folder), *sys.argv[2:]], check=False)
        found = list(problems(folder)) if run.returncode == 0 else [f'it ended with {run.returncode}']
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
