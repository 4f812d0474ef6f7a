"""What comments and pages name must exist: files, folders, sections of pages, and pages by their name.

Looks at Markdown, at comments of all sources, at docstrings, and at strings of C++ that name a page (help and errors).
A name with a folder must be the end of a path; a bare name must be that of some file. Names with a `*` are patterns.
"""

import fnmatch
import functools
import re

PAGE_LINES_MAX = 70

# The names by which text refers to a page -> the page, and its section if one is meant.
NAMED_PAGES = {
    'style page': '.github/CONTRIBUTING.md#how-code-reads',
    'lab book': 'server/docs/measurements.md',
    'glossary': 'server/docs/glossary.md',
    'table of events': 'server/docs/promise.md#events',
    'event table': 'server/docs/promise.md#events',
    'measurements page': 'server/docs/measurements.md',
}

KINDS = 'h|cc|md|proto|py|sh|mjs|cmake|patch'
NAME = re.compile(rf'(?<![\w/.$*<-])((?:[\w.*-]+/)*[\w*-]+\.(?:{KINDS}))(?![\w*/-]|\.\w)(#[\w-]+)?')
LINK = re.compile(r'\]\(([^)\s]+)\)')
FOLDER = re.compile(r'`((?:[\w.-]+/)+)`')
ROOTED = re.compile(r'(?<![\w/.$<-])((?:server|client|tests|proto|deploy)/[\w*/.-]*[\w*])')
README_OF = re.compile(r'\bREADMEs? of (?!an? |the |one |each )`?(\w+)`?')
SECTION = re.compile(r'\b([\w/]+\.md|README)(?: of `?(\w+)`?)?,? \(?"([^"\n]+)"')
# Files of the build and of other projects, files that a program writes, and words in capitals that
# stand for a name.
FOREIGN = re.compile(r'^(build|deploy/run|\.\.)/|\.pb\.(h|cc)$|^(Recast|Detour\w*)\.h$|(^|/)(?!README|CONTRIBUTING)[A-Z]{2,}(/|\.|$)')
# Rooms that are being moved; their comments are rewritten with them.
MOVING = ('server/engine/engine.h',)


@functools.lru_cache(maxsize=None)
def slug(heading):
    """A heading as the anchor that a viewer of Markdown makes of it."""
    bare = re.sub(r'[`*]|\[([^\]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
    return re.sub(r'[^\w\- ]', '', bare).replace(' ', '-')


def headings(text):
    return [match.group(1) for match in re.finditer(r'^#+ (.*)$', text, re.M)]


def prose(path, text):
    """The comments of a source, line by line at their place; all of a page but its blocks of code."""
    if path.endswith('.md'):
        return re.sub(r'^(?:    |\t|```).*$', '', text, flags=re.M)
    if path.endswith('.py'):
        quoted = re.compile(r'"""(?:.*?)"""', re.S)
        kept = [False] * len(text)
        for match in quoted.finditer(text):
            kept[match.start():match.end()] = [True] * (match.end() - match.start())
        for match in re.finditer(r'(?:^|\s)#[^\n]*', text):
            kept[match.start():match.end()] = [True] * (match.end() - match.start())
        return ''.join(c if keep or c == '\n' else ' ' for c, keep in zip(text, kept))
    mark = '//' if path.endswith(('.h', '.cc', '.proto', '.mjs', '.js')) else '#'
    lines = []
    for line in text.split('\n'):
        at = re.search(rf'(?:^|\s){mark}', line)
        comment = line[at.start():] if at else ''
        if mark == '//' and not comment:
            comment = ' '.join(re.findall(r'"[^"\n]*\.md\b[^"\n]*"', line))
        lines.append(comment)
    return '\n'.join(lines)


class Tree:
    """Finds out whether a name is that of something in the tree."""

    def __init__(self, tree):
        self.tree = tree
        self.names, self.ends, self.folders = set(), set(), set()
        for path in tree:
            parts = path.split('/')
            self.names.add(parts[-1])
            for i in range(len(parts)):
                self.ends.add('/'.join(parts[i:]))
                for j in range(i + 1, len(parts)):
                    self.folders.add('/'.join(parts[i:j]))

    def has(self, name):
        name = re.sub(r'^\./', '', name).rstrip('/')
        if '*' in name:
            return any(fnmatch.fnmatchcase(end, name) for end in self.ends)
        return name in self.ends or name in self.folders

    def page(self, beside, name):
        """The path of a linked page, from the folder of the page that links it; None if it does not exist."""
        parts = beside.split('/')[:-1]
        for part in name.split('/'):
            if part == '..':
                if not parts:
                    return None
                parts.pop()
            elif part != '.':
                parts.append(part)
        path = '/'.join(parts).rstrip('/')
        return path if path in self.tree or any(end.startswith(path + '/') for end in self.tree) else None

    def has_section(self, path, anchor):
        return anchor in {slug(heading) for heading in headings(self.tree.get(path, ''))}


def without_braces(text):
    """`grow.{h,cc}` as `grow.h grow.cc`."""
    return re.sub(r'([\w/.*-]*)\{([\w,.]+)\}([\w./*-]*)',
                  lambda m: ' '.join(m.group(1) + one + m.group(3) for one in m.group(2).split(',')), text)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def mentions(tree):
    """Each file, folder, section and page that a comment, a help text or a page names exists."""
    known = Tree(tree)
    problems = []
    for path, text in tree.items():
        is_page = path.endswith('.md')
        if not (is_page or path.endswith(('.h', '.cc', '.proto', '.py', '.sh', '.mjs', '.js', '.cmake', 'CMakeLists.txt',
                                          'Dockerfile', '.yml'))):
            continue
        if path.startswith(('tests/tidy/plants', 'proto/google/')):
            continue
        said = without_braces(prose(path, text)) if is_page else prose(path, text)

        def blame(match, what, path=path, said=said):
            problems.append(f'{path}:{line_of(said, match.start())}: {what} does not exist')

        for match in LINK.finditer(said) if is_page else ():
            name, _, anchor = match.group(1).partition('#')
            if '://' in name:
                continue
            target = known.page(path, name) if name else path
            if target is None:
                blame(match, name)
            elif anchor and not known.has_section(target, anchor):
                blame(match, f'section #{anchor} of {target}')
        unlinked = LINK.sub(lambda m: ' ' * len(m.group(0)), said) if is_page else said
        for match in NAME.finditer(unlinked):
            if not FOREIGN.search(match.group(1)) and not known.has(match.group(1)):
                blame(match, match.group(1))
        for match in ROOTED.finditer(unlinked):
            name = match.group(1).rstrip('.')
            if not NAME.fullmatch(name) and not FOREIGN.search(name) and not known.has(name):
                blame(match, name)
        for match in FOLDER.finditer(unlinked):
            if not FOREIGN.search(match.group(1)) and not known.has(match.group(1)):
                blame(match, match.group(1))
        for match in README_OF.finditer(unlinked):
            if not known.has(f'{match.group(1)}/README.md'):
                blame(match, f'the README of {match.group(1)}')
        for match in SECTION.finditer(unlinked):
            folder, heading = match.group(2), match.group(3)
            name = match.group(1) if match.group(1) != 'README' else 'README.md'
            pages = [p for p in tree if p.endswith(f'{folder}/{name}' if folder else name)]
            if not any(heading in headings(tree[p]) for p in pages):
                blame(match, f'section "{heading}" of {name}')
        for phrase, target in NAMED_PAGES.items():
            match = re.search(rf'\b{phrase}\b', said, re.I) if phrase in said.lower() else None
            page, _, anchor = target.partition('#')
            if match and (page not in tree or (anchor and not known.has_section(page, anchor))):
                blame(match, target)
    return problems


def tables(tree):
    """Each name in the first column of a README's table of files is a file or folder beside the README."""
    problems = []
    for path, text in tree.items():
        if not path.endswith('/README.md'):
            continue
        folder = path[:-len('README.md')]
        beside = {p[len(folder):] for p in tree if p.startswith(folder)}
        stems = {p.rsplit('.', 1)[0] for p in beside}
        is_table = False
        for number, line in enumerate(text.split('\n'), start=1):
            head = re.match(r'\| (?:file|folder)(?: or file)? \|', line)
            is_table = bool(head) or (is_table and line.startswith('|'))
            if not is_table or head:
                continue
            for name in re.findall(r'`([^`]+)`', line.split('|')[1]):
                if name.startswith(('deploy/', 'X.')) or ' ' in name:
                    continue
                found = (name in beside or name in stems or any(p.startswith(name) for p in beside if name.endswith('/')) or
                         ('*' in name and any(fnmatch.fnmatchcase(p.rsplit('/', 1)[-1], name) for p in beside | stems)) or
                         any(p.startswith(name + '_test') for p in beside) or name.startswith('.'))
                if not found:
                    problems.append(f'{path}:{number}: {name} is not in {folder}')
    return problems


def recipes(tree):
    """A recipe that says how its list is found (`grep -rlwE 'WORDS' FOLDERS`) names each file that it finds."""
    problems = []
    for path, text in tree.items():
        if not path.startswith('server/docs/'):
            continue
        for section in re.split(r'^(?=###? )', text, flags=re.M):
            listed = set(NAME.findall(without_braces(section)))
            listed = {name for name, _ in listed} | set(ROOTED.findall(section))
            for words, folders in re.findall(r"`grep -rlwE '([^']+)' ([\w/ ]+)`", section):
                pattern = re.compile(rf'(?<!\w)(?:{words})(?!\w)')
                inside = tuple(folder + '/' for folder in folders.split())
                for found, source in tree.items():
                    if (found.startswith(inside) and not found.endswith('.md') and found not in listed and
                            any(word in source for word in words.split('|')) and pattern.search(source)):
                        problems.append(f'{path}: "{section.split(chr(10))[0].strip("# ")}" does not name {found}')
    return problems


def page_length(tree):
    """A README is one page; the top one may be longer."""
    return [f'{path}: {text.count(chr(10))} lines, at most {PAGE_LINES_MAX}' for path, text in tree.items()
            if path.endswith('/README.md') and text.count('\n') > PAGE_LINES_MAX]
