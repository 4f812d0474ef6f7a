"""The checks: each takes a tree (path -> text) and gives the problems it finds, one line of text for each.

What a compiler checks is not checked again; what clang-tidy checks (names, real function length) is in .clang-tidy.
"""

import pathlib
import re
import subprocess
import tempfile

import mentions

LINES_MAX = 450
FUNCTION_LINES_MAX = 60

TOP_LEVEL = {
    '.ci', '.clang-format', '.clang-tidy', '.dockerignore', '.github', '.gitignore', '.npmrc', 'CMakeLists.txt',
    'CMakePresets.json', 'Dockerfile', 'LICENSE', 'README.md', 'client', 'deploy', 'proto', 'server', 'tests',
}

STORE_LAYER = 7
BANNED_BELOW_STORE = [
    (r'#include <(chrono|thread|random|mutex|shared_mutex|condition_variable|future|iostream|fstream|ctime)>',
     'clocks, threads, locks, random numbers and streams stay out of the rooms below store'),
    (r'\b(std::)?(sin|cos|tan|asin|acos|atan|atan2|hypot|pow|exp|log)\(', 'its result may differ between machines'),
    (r'\b(rand|srand|time|clock_gettime|gettimeofday)\(', 'a run must replay bit for bit'),
]
SOURCE = ('.h', '.cc', '.proto', '.py', '.sh', '.mjs', '.js', '.ts', '.tsx', '.css', '.cmake', '.txt')


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def without_comments(text):
    """C++ text with comments and string contents blanked, line numbers kept."""
    def blank(match):
        found = match.group(0)
        return '""' if found[0] == '"' else re.sub(r'[^\n]', ' ', found)
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def cpp(tree, *folders, ends=('.h', '.cc')):
    return {path: text for path, text in tree.items() if path.startswith(folders) and path.endswith(ends)}


def rooms_in_cmake(tree):
    """room -> (layer, rooms it needs), from the repath_room lines."""
    rooms = {}
    for match in re.finditer(r'^repath_room\((\w+)\s+(\d+)([^)]*)\)', tree['server/CMakeLists.txt'], re.M):
        needs = re.search(r'NEEDS ([a-z_ ]+)', match.group(3))
        rooms[match.group(1)] = (int(match.group(2)), needs.group(1).split() if needs else [])
    return rooms


def rooms(tree):
    """The repath_room lines are the map in README.md and the folders of server/; each room has a README."""
    listed = {name: layer for name, (layer, _) in rooms_in_cmake(tree).items()}
    drawn = {name: int(layer) for layer, name in re.findall(r'^\| (\d+) \| (\w+) \|', tree['README.md'], re.M)}
    folders = {path.split('/')[1] for path in tree if path.startswith('server/') and path.count('/') > 1} - {'docs'}
    problems = [f'{name}: server/CMakeLists.txt says layer {listed.get(name)}, README.md {drawn.get(name)}'
                for name in sorted(set(listed) | set(drawn)) if listed.get(name) != drawn.get(name)]
    problems += [f'server/{name}: not a room of server/CMakeLists.txt' for name in sorted(folders - set(listed))]
    problems += [f'server/{name}: a room without files' for name in sorted(set(listed) - folders)]
    problems += [f'server/{name}/README.md: missing' for name in sorted(folders)
                 if f'server/{name}/README.md' not in tree]
    return problems


def walls(tree):
    """A file includes only its own room and those its room needs; client/ includes no room."""
    known = rooms_in_cmake(tree)
    problems = []
    for path, text in cpp(tree, 'server/', 'client/').items():
        room = path.split('/')[1] if path.startswith('server/') else ''
        if room and room not in known:
            continue
        allowed = {room, *known[room][1]} if room else set()
        for match in re.finditer(r'^#include "(\w+)/', text, re.M):
            if match.group(1) in known and match.group(1) not in allowed:
                problems.append(f'{path}:{line_of(text, match.start())}: may not include room {match.group(1)}')
    return problems


def below(tree, layer):
    names = tuple(f'server/{name}/' for name, (own, _) in rooms_in_cmake(tree).items() if own < layer)
    return {path: without_comments(text) for path, text in cpp(tree, *names).items()}


def deterministic(tree):
    """The rooms below store have no clock, thread, lock, random number of the library or library trigonometry."""
    return [f'{path}:{line_of(text, match.start())}: {match.group(0).strip()}: {why}'
            for path, text in below(tree, STORE_LAYER).items()
            for pattern, why in BANNED_BELOW_STORE for match in re.finditer(pattern, text)]


def ordered(tree):
    """The rooms below store never walk through an unordered container."""
    problems = []
    code = below(tree, STORE_LAYER)
    for path, text in code.items():
        twin = code.get(path[:-3] + '.h', '') if path.endswith('.cc') else ''
        named = r'\b(?:unordered_(?:map|set)|flat_hash_(?:map|set))<[^;{}()]*>\s+(\w+)\s*[;={]'
        names = set(re.findall(named, text + twin))
        for name in names:
            walk = rf'for \([^;)]*:\s*(?:this->)?{name}\)|\b{name}\.(?:begin|cbegin)\('
            problems += [f'{path}:{line_of(text, match.start())}: walks through {name}, which has no order'
                         for match in re.finditer(walk, text)]
    return problems


def ownership(tree):
    """Below store a shared_ptr leads to something that never changes: what queries on other threads read."""
    return [f'{path}:{line_of(text, match.start())}: shared_ptr to what may change, below store'
            for path, text in below(tree, STORE_LAYER).items()
            for match in re.finditer(r'\bshared_ptr\b(?!<const )', text)]


def tricks(tree):
    """Intrinsics and reinterpret_cast stand in grid/bits only."""
    pattern = r'\breinterpret_cast\b|\b_mm\d*_\w+|#include <(?:\w*intrin|arm_neon)\.h>'
    return [f'{path}:{line_of(code, match.start())}: {match.group(0)} outside grid/bits'
            for path, text in cpp(tree, 'server/', 'client/').items() if not path.startswith('server/grid/bits/')
            for code in [without_comments(text)] for match in re.finditer(pattern, code)]


def headers(tree):
    """A header begins with a comment that says what it is, then #pragma once, before any include."""
    problems = []
    for path, text in cpp(tree, 'server/', 'client/', 'tests/', ends=('.h',)).items():
        lines = text.splitlines()
        code = next((line for line in lines if line.strip() and not line.startswith('//')), '')
        if not lines or not re.match(r'// \S.{9,}', lines[0]):
            problems.append(f'{path}:1: a header begins with a comment that says what it is')
        if code != '#pragma once':
            problems.append(f'{path}: #pragma once must be the first line of code')
    return problems


def names(tree):
    """Source files are snake_case."""
    return [f'{path}: a file name is snake_case' for path in cpp(tree, 'server/', 'client/', 'tests/')
            if not re.fullmatch(r'[a-z0-9_]+\.(h|cc)', path.rsplit('/', 1)[-1])]


def facts(tree):
    """A test is named as a fact: TEST(DStarLite, OutOfBudgetIsNotNoPath)."""
    pattern = r'^(?:TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)'
    return [f'{path}:{line_of(text, match.start())}: {match.group(2)}: a test is named as a fact, in CamelCase'
            for path, text in cpp(tree, 'tests/').items() for match in re.finditer(pattern, text, re.M)
            if '_' in match.group(2) or not match.group(2)[0].isupper()]


def file_length(tree):
    """No file is longer than the limit."""
    return [f'{path}: {text.count(chr(10))} lines, at most {LINES_MAX}' for path, text in tree.items()
            if path.endswith(SOURCE) and text.count('\n') > LINES_MAX]


def function_length(tree):
    """No function body is longer than the limit; relies on the layout that clang-format gives."""
    opens = re.compile(r'^( *)(?!if\b|for\b|while\b|switch\b|else\b|do\b|catch\b|namespace\b|struct\b|class\b|\})'
                       r'(?:\S.*)?\)(?: const| noexcept| override| final| mutable| -> [^;]+)* \{$')
    problems = []
    for path, text in cpp(tree, 'server/', 'client/').items():
        lines = text.splitlines()
        for first, line in enumerate(lines):
            match = opens.match(line)
            if not match:
                continue
            indent = len(match.group(1))
            last = next((i for i in range(first + 1, len(lines))
                         if lines[i].startswith('}', len(lines[i]) - len(lines[i].lstrip())) and
                         len(lines[i]) - len(lines[i].lstrip()) <= indent), first)
            if last - first + 1 > FUNCTION_LINES_MAX:
                problems.append(f'{path}:{first + 1}: {last - first + 1} lines, at most {FUNCTION_LINES_MAX}')
    return problems


def registries(tree):
    """No file names the host of a package registry; the patterns are put together so that this one does not either."""
    hosts = ['registry' + r'\.[\w-]+\.(org|com|io)', 'pypi' + r'\.org', 'python' + 'hosted', 'crates' + r'\.io',
             'docker' + r'\.(io|com)', 'ghcr' + r'\.io', 'quay' + r'\.io', 'rubygems' + r'\.org',
             'yarnpkg' + r'\.com', 'npmjs' + r'\.(org|com)', r'proxy\.golang' + r'\.org', 'maven' + r'\.org',
             'gcr' + r'\.io']
    pattern = re.compile('|'.join(rf'(?<![\w.-])(?:[\w-]+\.)*{host}\b' for host in hosts))
    return [f'{path}:{line_of(text, match.start())}: names a package registry'
            for path, text in tree.items() for match in pattern.finditer(text)]


def lock_files(tree):
    """Lock files hold no addresses, and npm is told to write none."""
    problems = []
    if 'omit-lockfile-registry-resolved=true' not in tree.get('.npmrc', '').split():
        problems.append('.npmrc: omit-lockfile-registry-resolved=true is missing')
    return problems + [f'{path}: holds "resolved" addresses' for path, text in tree.items()
                       if path.endswith(('package-lock.json', 'npm-shrinkwrap.json')) and '"resolved"' in text]


def unfinished(tree):
    """No marks of unfinished work."""
    pattern = re.compile(r'\b(TO' + r'DO|FIX' + r'ME|XX' + r'X|HA' + r'CK)\b|'
                         r'\b[Nn]ot ' + r'implemented\b|\b[Pp]lace' + r'holder\b')
    return [f'{path}:{line_of(text, match.start())}: {match.group(0)}' for path, text in tree.items()
            if path.endswith(SOURCE + ('.md', 'Dockerfile')) for match in pattern.finditer(text)]


def api_comments(tree):
    """Everything in a .proto of the project's own has words: above it, beside it, above its run or above its block.

    What its name and type say in full needs none: requests and responses (their call says it), fields of a message type
    (the type says it), and the names that mean the same in every message.
    """
    clear = re.compile(r'message \w+(Request|Response)|(repeated )?(\w+\.)*[A-Z]\w* \w+ = |\w+_UNSPECIFIED = 0|'
                       r'(optional )?\w+ (world|revision|min_revision|expected_revision|epoch|session_id|state_hash|'
                       r'page_token|next_page_token|game_tick|sequence|batch_number|frame) = ')
    problems = []
    for path, text in tree.items():
        if not path.startswith('proto/repath/') or not path.endswith('.proto'):
            continue
        run, blocks = False, []
        for number, line in enumerate(text.splitlines(), start=1):
            bare = line.strip()
            opens = re.match(r'(service|message|enum|oneof)\b', bare)
            if bare.startswith('//'):
                run = True
            elif not (opens or re.match(r'rpc\b|[\w.<>, ]+ = \d+', bare)):
                run = False
            elif not (run or '//' in bare or any(blocks) or clear.match(bare) or bare.startswith(('service', 'oneof'))):
                problems.append(f'{path}:{number}: {bare.split("{")[0].strip()}: has no words')
            if opens and not bare.endswith('}'):
                blocks.append(run and not bare.startswith('service'))
            elif bare == '}' and blocks:
                blocks.pop()
            run = run and not opens
    return problems


def top_level(tree):
    """The top level holds what was agreed, and nothing else."""
    found = {path.split('/')[0] for path in tree}
    return ([f'{name}: not agreed for the top level' for name in sorted(found - TOP_LEVEL)] +
            [f'{name}: missing at the top level' for name in sorted(TOP_LEVEL - found)])


def mutants(tree):
    """Each patch of tests/mutants can still be laid on the file it breaks."""
    problems = []
    for path, text in tree.items():
        if not (path.startswith('tests/mutants/') and path.endswith('.patch')):
            continue
        files = re.split(r'^--- a/(\S+)\n\+\+\+ .*\n', text, flags=re.M)
        if len(files) < 3:
            problems.append(f'{path}: changes no file')
        for target, hunks in zip(files[1::2], files[2::2]):
            for hunk in re.split(r'^@@ .*\n', hunks, flags=re.M)[1:]:
                old = ''.join(line[1:] for line in hunk.splitlines(True) if line[0] in ' -')
                if old not in tree.get(target, ''):
                    problems.append(f'{path}: does not fit {target} any more')
    return problems


def layout(tree):
    """C++ is as clang-format leaves it."""
    sources = cpp(tree, 'server/', 'client/', 'tests/')
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {'.clang-format': tree['.clang-format'], **sources}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        run = subprocess.run(['clang-format', '--dry-run', '-Werror', *sorted(sources)], cwd=root,
                             capture_output=True, text=True, check=False)
        wrong = sorted(set(re.findall(r'^(\S+?):\d+:\d+: error', run.stderr, re.M)))
        return [f'{path}: not as clang-format leaves it' for path in wrong]


CHECKS = [rooms, walls, deterministic, ordered, ownership, tricks, headers, names, facts, file_length, function_length,
          registries, lock_files, unfinished, api_comments, top_level, mentions.mentions, mentions.tables,
          mentions.recipes, mentions.page_length, mutants, layout]
