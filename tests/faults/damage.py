"""Lines of tests/faults.sh about damage: a log that is cut, and bits that are flipped in any file. A world is whole,
or it or the folder is refused with the reason."""
import glob
import os
import random
import shutil
import sqlite3
import struct

from servers import Client, Folder, Server

WAL_HEADER = 32
FRAME_HEADER = 24
CHANGES = 12  # in a log


class Log:
    """The write-ahead log of a server that was killed, as its frames."""

    def __init__(self, faults, data):
        server = Server(faults.bin, data)
        self.client = Client()
        try:
            assert server.wait_ready() and self.client.make(server), server.text()
            while len(self.client.answers) < CHANGES:
                assert self.client.change(server)
            server.end()
        finally:
            server.clean()
        self.path = f"{data}/repath.db-wal"
        with open(self.path, "rb") as file:
            self.bytes = file.read()
        self.frame = FRAME_HEADER + struct.unpack(">I", self.bytes[8:12])[0]
        self.edges = list(range(WAL_HEADER, len(self.bytes) + 1, self.frame))
        # where commits end: at frames that tell the size of the database
        self.ends = [at + self.frame for at in self.edges[:-1] if any(self.bytes[at + 4:at + 8])]


class Damage:
    def __init__(self, faults):
        self.faults = faults

    # ---- the log ----

    def rows(self, data, log, size):
        """Returns how many changes SQLite finds in a log that is cut at `size`."""
        with Folder() as copy:
            shutil.copy(f"{data}/repath.db", copy)
            with open(f"{copy}/repath.db-wal", "wb") as file:
                file.write(log.bytes[:size])
            database = sqlite3.connect(f"{copy}/repath.db")
            try:
                if database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'log'").fetchone()[0] == 0:
                    return None
                return database.execute("SELECT count(*) FROM log").fetchone()[0]
            finally:
                database.close()

    def cuts(self, step):
        """Cuts the log at every byte of its last two commits for SQLite, which the server reads it with, and around
        the ends of frames for the server."""
        with Folder() as data:
            log = Log(self.faults, data)
            begin = log.ends[-3]
            at_end = {end: self.rows(data, log, end) for end in log.ends[-3:]}
            assert at_end[log.ends[-1]] == CHANGES, at_end
            sizes = range(begin, len(log.bytes) + 1, step)
            for size in sizes:
                if self.rows(data, log, size) != at_end[max(end for end in log.ends if end <= size)]:
                    self.faults.lost += 1
            edges = [edge + more for edge in log.edges if edge > begin for more in (-1, 0, 1, FRAME_HEADER)]
            edges = [size for size in edges if size <= len(log.bytes)]
            served = self.faults.some(edges, edges[-6:])
            for size in served:
                self.serve_cut(data, log, size, at_end[max(end for end in log.ends if end <= size)])
        return (f"{len(sizes)} cuts, each leaves whole commits; a server started on {len(served)} of them has the state "
                "of those")

    def serve_cut(self, data, log, size, changes):
        with Folder(data) as copy:
            os.truncate(f"{copy}/repath.db-wal", size)
            server = Server(self.faults.bin, copy)
            try:
                assert server.wait_ready(), server.text()
                kept = Client()
                kept.made, kept.answers = True, log.client.answers[:changes]
                self.faults.compare(server, kept, repeats=False)
            finally:
                server.clean()

    def log_flips(self, count):
        """Damage of the last commits may look like one that was under way. What is before must not be dropped."""
        rng = random.Random(1)
        whole = refused = cut = 0
        with Folder() as data:
            log = Log(self.faults, data)
            for _ in range(count):
                with Folder(data) as copy:
                    place = flip(f"{copy}/repath.db-wal", rng)
                    server = Server(self.faults.bin, copy)
                    try:
                        if not server.wait_ready():
                            refused += 1
                            self.faults.wrong += 0 if "repath.db-wal is damaged" in server.text() else 1
                            continue
                        revision, state = server.world()
                        if place >= log.ends[-3] and revision in (CHANGES - 1, CHANGES):
                            cut += 1
                            self.faults.wrong += 0 if state == self.faults.hashes[revision - 1] else 1
                        else:
                            whole += 1
                            self.faults.compare(server, log.client)
                    finally:
                        server.clean()
        return f"{count} flips: {whole} whole, {refused} refused with the reason, {cut} without the last commits, in which they are"

    # ---- files ----

    def flips(self, pattern, count, drains):
        """Flips one bit at a time in the newest file of that name."""
        rng = random.Random(1)
        whole = refused = 0
        with Folder() as data:
            client = self.faults.fill(data, 20, drains)
            for _ in range(count):
                with Folder(data) as copy:
                    files = sorted(glob.glob(f"{copy}/{pattern}", recursive=True), key=os.path.getmtime)
                    assert files, "no file " + pattern
                    flip(files[-1], rng)
                    if self.serves(copy, client):
                        whole += 1
                    else:
                        refused += 1
        return f"{count} flips: {whole} whole, {refused} refused with the reason"

    def serves(self, data, client):
        """Returns False if the folder or the world is refused, with the reason."""
        server = Server(self.faults.bin, data)
        try:
            if not server.wait_ready():
                self.faults.wrong += 0 if "stopped exit=1 reason=" in server.text() else 1
                return False
            revision, answer = server.world()
            is_whole = revision is not None
            if is_whole:
                self.faults.compare(server, client, repeats=False)
            elif "WORLD_DAMAGED" not in str(answer) and "is damaged" not in str(answer):
                self.faults.lost += 1
            self.faults.wrong += 0 if server.is_running() else 1
            return is_whole
        finally:
            server.clean()


def flip(path, rng):
    """Flips a bit. Returns the offset of its byte."""
    with open(path, "r+b") as file:
        place = rng.randrange(os.path.getsize(path))
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << rng.randrange(8)]))
    return place


def add_lines(faults):
    damage = Damage(faults)
    some = faults.some
    faults.line("the log cut at every byte of its last commits", lambda: damage.cuts(some(1, 101)))
    faults.line("bit flips in the log", lambda: damage.log_flips(some(80, 6)))
    faults.line("bit flips in the newest snapshot", lambda: damage.flips("worlds/**/snap*.rpw", some(20, 3), 2))
    faults.line("bit flips in the base", lambda: damage.flips("worlds/**/base*.rpw", some(20, 3), 1))
    faults.line("bit flips in the database", lambda: damage.flips("repath.db", some(60, 5), 1))
