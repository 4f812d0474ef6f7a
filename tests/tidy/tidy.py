#!/usr/bin/env python3
"""Checks what the style page (.github/CONTRIBUTING.md) asks for and a compiler does not.

    tests/tidy/tidy.py               # one line for each check: ok NAME, or not ok NAME and the problems
    tests/tidy/tidy.py --self-test   # also plants a fault for each check and shows that it is caught

Looks at the files that git knows. The last line is `done`. Exit status 1 if anything is not ok.
"""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import checks  # noqa: E402
import plants  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_tree():
    """path -> text of every file that git knows and that is there."""
    listed = subprocess.run(['git', '-c', f'safe.directory={ROOT}', 'ls-files', '-z'], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    paths = [path for path in listed.split('\0') if path and (ROOT / path).is_file()]
    return {path: (ROOT / path).read_text(encoding='utf-8', errors='replace') for path in paths}


def report(name, problems):
    """Prints one line, and the problems below it; says whether there were none."""
    print(('not ok ' if problems else 'ok ') + name)
    for problem in problems:
        print(f'  {problem}')
    return not problems


def self_test(tree):
    """A check that does not catch its plant, or blames it on something else, is not ok."""
    good = True
    all_plants = plants.plants(tree)
    for check in checks.CHECKS:
        before = set() if check is checks.layout else set(check(tree))
        for what, faulty, blamed in all_plants.get(check.__name__, []) or [('nothing', tree, 'a plant')]:
            caught = [problem for problem in check(faulty) if problem not in before and blamed in problem]
            good &= report(f'{check.__name__} catches {what}', [] if caught else [f'nothing was said about {blamed}'])
    return good


def main():
    tree = read_tree()
    good = self_test(tree) if '--self-test' in sys.argv[1:] else True
    for check in checks.CHECKS:
        good &= report(check.__name__, check(tree))
    print('done')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
