"""Shows that each check catches what it is for: a tree with one fault planted, and the path it must be blamed on."""

HEADER = '// A header that was planted by the test of the tidy checks.\n#pragma once\n'


def planted(tree, path, text):
    """The tree with a file added or replaced."""
    return {**tree, path: text}


def edited(tree, path, old, new):
    """The tree with a piece of a file replaced; the piece must be there, else the plant would prove nothing."""
    assert old in tree[path], f'{path} does not hold {old!r}'
    return planted(tree, path, tree[path].replace(old, new, 1))


def long_function(lines):
    return HEADER + 'inline void f() {\n' + '  g();\n' * (lines - 2) + '}\n'


# check -> [(name of the planted fault, the planted tree, text that a problem must contain)]
def plants(tree):
    a = 'server/world/planted.h'
    source = 'server/world/planted.cc'
    proto = 'proto/repath/v1/planted.proto'
    test = 'tests/unit/world/planted_test.cc'
    client = 'client/repath/planted.h'
    lock = 'tests/package-lock.json'

    page = 'server/world/README.md'

    def code(text, path=a):
        return planted(tree, path, HEADER + text + '\n')

    def said(path, text):
        """A small tree, for checks of what is said: a page of each kind, and this one file."""
        return {'README.md': '# Here\n', 'server/docs/promise.md': '# The promise\n\n## Events\n', path: text}

    return {
        'rooms': [
            ('a folder that is no room', code('', 'server/attic/a.h'), 'server/attic'),
            ('a layer that README.md does not know',
             edited(tree, 'README.md', '| 3 | world |', '| 2 | world |'), 'world: '),
            ('a room without README', {k: v for k, v in tree.items() if k != 'server/base/README.md'},
             'server/base/README.md'),
        ],
        'walls': [
            ('a room that reaches upwards', code('#include "engine/engine.h"'), a),
            ('a client that sees the server', code('#include "base/ids.h"', client), client),
        ],
        'deterministic': [
            ('a clock', code('#include <chrono>'), a),
            ('library trigonometry', code('inline double f(double x) { return std::sin(x); }'), a),
            ('a random number', code('inline int f() { return rand(); }'), a),
        ],
        'ordered': [
            ('a walk through a local container',
             code('inline void f() {\n  std::unordered_map<int, int> m;\n  for (auto& e : m) g(e);\n}'), a),
            ('a walk through a member', planted(code('struct S {\n  std::unordered_set<int> seen_;\n};'), source,
                                                'void S::f() {\n  for (int e : seen_) g(e);\n}\n'), source),
        ],
        'ownership': [('a shared_ptr', code('inline std::shared_ptr<int> p;'), a)],
        'tricks': [
            ('a reinterpret_cast', code('inline int* f(char* p) { return reinterpret_cast<int*>(p); }'), a),
            ('an intrinsic', code('inline auto f(auto a, auto b) { return _mm256_add_epi32(a, b); }'), a),
        ],
        'headers': [
            ('no comment', planted(tree, a, '#pragma once\n'), a),
            ('no #pragma once', planted(tree, a, '// A header without a guard.\n#include <map>\n'), a),
        ],
        'names': [('a CamelCase file', planted(tree, 'server/world/Planted.cc', ''), 'server/world/Planted.cc')],
        'facts': [('a test that is no fact', planted(tree, test, 'TEST(World, test_1) {}\n'), test)],
        'file_length': [('a long file', planted(tree, source, 'int x;\n' * 451), source)],
        'function_length': [
            ('a long function', planted(tree, a, long_function(61)), a),
            ('a long member function',
             code('struct S {\n  int f(int x) const {\n' + '    g();\n' * 60 + '  }\n};'), a),
        ],
        'registries': [
            ('a registry', planted(tree, lock, 'https://registry' + '.npmjs.org/x\n'), lock),
        ],
        'lock_files': [
            ('an address in a lock file', planted(tree, lock, '{"resolved": ""}\n'), lock),
            ('an .npmrc that forgot', planted(tree, '.npmrc', '\n'), '.npmrc'),
        ],
        'unfinished': [('a mark', code('// TO' + 'DO: later'), a)],
        'api_comments': [
            ('a message without a word',
             planted(tree, proto, 'package p;\n\nmessage M {\n  // Something.\n  int32 a = 1;\n}\n'),
             'planted.proto:3'),
            ('a field without a word', planted(tree, proto, 'message MRequest {\n  int32 a = 1;\n}\n'),
             'planted.proto:2'),
            ('a call without a word', planted(tree, proto, '// Words.\nservice S {\n\n  rpc A(B) returns (C);\n}\n'),
             'planted.proto:4'),
        ],
        'top_level': [('a file at the top', planted(tree, 'notes.txt', ''), 'notes.txt')],
        'mentions': [
            ('a file in a comment', said(a, HEADER + '// As no_such_page.md says.\n'), 'no_such_page.md'),
            ('a header of another room in a comment', said(a, HEADER + '// See grid/cells/none.h.\n'), 'grid/cells/none.h'),
            ('a file in a page', said(page, 'See `server/world/none.h`.\n'), 'server/world/none.h'),
            ('a link', said(page, '[the promise](../docs/none.md)\n'), '../docs/none.md'),
            ('a link to a section', said(page, '[events](../docs/promise.md#none)\n'), '#none of server/docs/promise.md'),
            ('a section in a comment of CMake', said('server/CMakeLists.txt', '# See README.md, "Elsewhere".\n'), '"Elsewhere"'),
            ('a folder', said(page, 'All of `attic/`.\n'), 'attic/'),
            ('a script in a comment of a shell', said('tests/planted.sh', '# As tests/none.sh does.\n'), 'tests/none.sh'),
            ('a file without extension', said('tests/planted.sh', '# Of tests/data/none\n'), 'tests/data/none'),
            ('a page in a help text', said(source, '  flag("see guide.md for more");\n'), 'guide.md'),
            ('the page of a room', said(proto, '// See the README of attic.\n'), 'README of attic'),
            ('a page by its name', said(a, HEADER + '// As the style page says.\n'), 'CONTRIBUTING.md'),
            ('a table that is gone', said(a, HEADER + '// A row of the lab book.\n'), 'measurements.md'),
        ],
        'tables': [
            ('a row of a file that is gone', said(page, '| file | holds |\n|---|---|\n| `none.h` | x |\n'), 'none.h'),
            ('a row of a folder that is gone', said(page, '| folder | holds |\n|---|---|\n| `none/` | x |\n'), 'none/'),
        ],
        'recipes': [
            ('a file that a recipe forgets', {**said(a, HEADER + 'struct Shape;\n'), 'server/docs/planted.md':
                                              "### Add one\n\n`grep -rlwE 'Shape|Form' server`\n"}, a),
        ],
        'page_length': [('a long page', said(page, 'A line.\n' * 71), page)],
        'mutants': [
            ('a patch of a line that is gone', planted(tree, 'tests/mutants/planted.patch',
                                                       '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-No such line\n'),
             'planted.patch'),
        ],
        'layout': [('a crooked line', {'.clang-format': tree['.clang-format'], a: HEADER + 'inline   int x=1 ;\n'}, a)],
    }
