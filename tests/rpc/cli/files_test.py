#!/usr/bin/env python3
"""Files that a command cannot use: each is refused with its cause, and no world is left behind.

Usage: tests/rpc/cli/files_test.py BIN_DIR   (repathd and repath must be there)
"""
import os
import re
import sys
import tempfile

from server import Server

NODES = '{"nodes": [{"id": 1, "position": [0,0,0]}, {"id": 2, "position": [5,0,0]}], "edges": []}'
SIGHT = '{"link_distance": 4, "map": "...", "nodes": [{"id": 1, "position": [0.5,0,0.5]}, {"id": 2, "position": [2.5,0,0.5]}]}'
CORNERS = '{"radius": 0, "holes": [[[4,2],[6,2],[6,8],[4,8]]], "points": [{"position": [0,5]}, {"position": [10,5]}]}'
FLOOR = "v 0 0 0\nv 9 0 0\nv 0 0 9\nf 1 3 2\n"
FILES = {"grid.txt": "...\n.#.\n", "nodes.json": NODES, "sight.json": SIGHT, "corners.json": CORNERS, "floor.obj": FLOOR,
         "one.json": '{"nodes": [{"id": 1, "position": [0,0,0]}]}', "none.json": '{"nodes": [], "edges": []}'}
CLEAN = r"^wrong 0, missed improvements 0, invalid paths 0, unsettled 0"
VERIFY = ("verify", "--agents", "5", "--events", "40", "--map")
# Arguments before the file, the file, exit status, what is printed. LOAD has all else that it needs.
LOAD = ("load", "rts", "--map")
CASES = [
    (VERIFY, "nodes.json", 0, CLEAN),
    ((*VERIFY[:-1], "--features", "kinds,clearance", "--map"), "nodes.json", 0, CLEAN),
    (VERIFY, "one.json", 0, CLEAN),
    (VERIFY, "none.json", 2, r"none\.json: has no node where an agent could be"),
    (VERIFY, "sight.json", 2, r"sight\.json: holds waypoints that the server links by sight; give a map file .*graph with its edges"),
    (VERIFY, "corners.json", 2, r"corners\.json: holds obstacles whose corners"),
    (VERIFY, "grid.world", 2, r"grid\.world: holds an exported world; give a map file"),
    (LOAD, "sight.json", 2, r"--map: .*sight\.json: holds waypoints"),
    (LOAD, "grid.world", 2, r"--map: .*grid\.world: holds an exported world"),
    (("world", "import", "cut"), "cut.world", 3, r"WORLD_FILE_SYNTAX in chunk: part 1: is cut off$"),
    (("world", "import", "coarse", "--cell-size", "0.30001"), "floor.obj", 3,
     r"PARAMETER_RANGE in header\.recast\.cell_size: must be a whole number of 1/16 mm"),
    (("play",), "nothing", 2, r"RECORDING_UNREADABLE: .*nothing cannot be read: No such file or directory"),
    (("play",), "grid.txt", 2, r"RECORDING_UNREADABLE: .*grid\.txt is no recording that this version reads"),
]


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for name, text in FILES.items():
            with open(os.path.join(work, name), "w") as file:
                file.write(text)
        server = Server(os.path.realpath(sys.argv[1]), work)
        try:
            server.call("world", "import", "grid", os.path.join(work, "grid.txt"))
            server.call("world", "export", "grid", os.path.join(work, "grid.world"))
            with open(os.path.join(work, "grid.world"), "rb") as whole, open(os.path.join(work, "cut.world"), "wb") as cut:
                cut.write(whole.read(20))
            before = server.call("world", "list").stdout
            for arguments, name, status, pattern in CASES:
                done = server.call(*arguments, os.path.join(work, name))
                if done.returncode != status or not re.search(pattern, done.stdout + done.stderr, re.MULTILINE):
                    failed += 1
                    print(f"FAILED: repath {' '.join(arguments)} {name} (status {done.returncode}, wanted {status} and {pattern!r})",
                          done.stdout + done.stderr, sep="\n")
            after = server.call("world", "list").stdout
            if after != before or "grid" not in before:
                failed += 1
                print("FAILED: worlds are left behind:", after, sep="\n")
        finally:
            server.kill()
    print(f"{len(CASES)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
