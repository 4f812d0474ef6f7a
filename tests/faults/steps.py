"""Lines of tests/faults.sh that kill the server at each step of what it does to files and rows: a snapshot, the
deletion of a world, the dropping of old records. And request ids over a kill."""
import glob
import os
import shutil
import signal
import sqlite3
import time

from servers import NO_TRACE, RENAMES, SYNCS, Client, Folder, Server, may_trace

KEY = 1  # of the first world of a folder


class Steps:
    def __init__(self, faults):
        self.faults = faults

    # ---- snapshots ----

    def snapshot(self, steps):
        """Kills the thread that writes the third snapshot, which replaces the first, at its n-th call of a kind."""
        came = 0
        with Folder() as filled:
            first = self.faults.fill(filled, 8, drains=2)
            for call, number in steps:
                with Folder(filled) as data:
                    client = Client()
                    client.made, client.answers = True, list(first.answers)
                    folder = f"{data}/worlds/{KEY}"
                    inject = (call, f"signal=KILL:when={number}", folder, f"{folder}/new.tmp",
                              *glob.glob(f"{folder}/*.rpw"))
                    _, is_dead = self.faults.run_until_death(data, inject, 10, term=True, client=client)
                    came += 1 if is_dead else 0
                    self.faults.check(data, client)
        assert came > 0, "the fault never came"
        return f"{came} of {len(steps)} kills came; the world was whole after each"

    # ---- deletion ----

    def deletion(self, steps):
        """A world that is deleted stays so with all that was its own, or is whole. The other one is not touched."""
        came = gone = 0
        with Folder() as filled:
            client = self.faults.fill(filled, 12, drains=2)
            self.fork(filled)
            for call, number, *files in steps:
                with Folder(filled) as data:
                    folder = f"{data}/worlds/{KEY}"
                    paths = [f"{data}/{name}" for name in files] or [folder, *glob.glob(f"{folder}/*")]
                    inject = (call, f"signal=KILL:when={number}", *paths)
                    was_told, is_dead = self.delete(data, inject)
                    came += 1 if is_dead else 0
                    gone += self.look(data, client, was_told)
        assert came > 0, "the fault never came"
        return f"{came} of {len(steps)} kills came; {gone} worlds were gone for good, the others whole"

    def fork(self, data):
        server = Server(self.faults.bin, data)
        try:
            assert server.wait_ready() and server.call("world", "fork", "w", "other")[0] == 0, server.text()
            server.end(signal.SIGTERM)
        finally:
            server.clean()

    def delete(self, data, inject):
        """Returns whether the deletion was acknowledged, and whether the server died."""
        server = Server(self.faults.bin, data, inject)
        try:
            was_told = server.wait_ready() and server.post("WorldService/DeleteWorld", world="w")[0]
            ends_at = time.monotonic() + 3
            while server.is_running() and os.path.exists(f"{data}/worlds/{KEY}") and time.monotonic() < ends_at:
                time.sleep(0.02)
            time.sleep(0.5)  # the rows go after the files
            return was_told, not server.is_running()
        finally:
            server.clean()

    def look(self, data, client, was_told):
        """Returns 1 if the deleted world is gone."""
        server = Server(self.faults.bin, data)
        try:
            assert server.wait_ready(), server.text()
            other, state = server.world("other")
            if other is None or state != self.faults.hashes[len(client.answers)]:
                self.faults.lost += 1
            if server.world()[0] is not None:
                self.faults.wrong += 1 if was_told else 0
                self.faults.compare(server, client, repeats=False)
                return 0
            ends_at = time.monotonic() + 10
            while os.path.exists(f"{data}/worlds/{KEY}"):
                assert time.monotonic() < ends_at, "the files of a deleted world stay"
                time.sleep(0.02)
            assert client.make(server) and client.change(server), "the name is not free again"
            client.answers.pop()
            return 1
        finally:
            server.clean()

    # ---- dropping old records ----

    def compaction(self, changes, numbers):
        """Kills the thread that drops the rows of old records. The bound of the history needs few of them."""
        came = 0
        with Folder() as filled:
            client = self.faults.fill(filled, changes, 2, "DURABILITY_APPLIED", historyRevisions=10)
            before = self.rows(filled)
            for call, number in numbers:
                with Folder(filled) as data:
                    inject = (call, f"signal=KILL:when={number}", f"{data}/repath.db", f"{data}/repath.db-wal")
                    server = Server(self.faults.bin, data, inject)
                    if server.wait_ready():
                        self.wait_for_sweep(server)
                    came += 1 if not server.is_running() else 0
                    server.clean()
                    self.faults.check(data, client, repeats=False)
            server = Server(self.faults.bin, filled)
            assert server.wait_ready(), server.text()
            self.wait_for_sweep(server)
            server.end(signal.SIGTERM)
            server.clean()
            after = self.rows(filled)
            self.faults.check(filled, client, repeats=False)
        assert came > 0, "the fault never came"
        assert after < before / 4, f"{after} of {before} rows are left"
        return f"{came} of {len(numbers)} kills came; the world was whole after each, {before} rows became {after}"

    @staticmethod
    def wait_for_sweep(server):
        """Dropping 2,000 rows takes some milliseconds, and is done every 20 ms."""
        ends_at = time.monotonic() + 2.5
        while server.is_running() and time.monotonic() < ends_at:
            time.sleep(0.02)

    @staticmethod
    def rows(data):
        with Folder() as copy:
            for name in ("repath.db", "repath.db-wal"):
                shutil.copy(f"{data}/{name}", copy)
            database = sqlite3.connect(f"{copy}/repath.db")
            count = database.execute("SELECT count(*) FROM log").fetchone()[0]
            database.close()
            return count

    # ---- request ids ----

    def request_ids(self, changes):
        """All requests are sent again after a kill, and one of them with another content."""
        with Folder() as data:
            server = Server(self.faults.bin, data)
            client = Client()
            try:
                assert server.wait_ready() and client.make(server)
                while len(client.answers) < changes:
                    assert client.change(server)
                server.end()
            finally:
                server.clean()
            server = Server(self.faults.bin, data)
            try:
                assert server.wait_ready(), server.text()
                self.faults.repeat(server, client, changes, most=changes)
                other = {**client.request(1), "requestId": "r0"}
                is_ok, answer = server.post("WorldService/ApplyChanges", **other)
                if is_ok or "REQUEST_ID_REUSED" not in str(answer):
                    self.faults.doubled += 1
                self.faults.compare(server, client)
                return f"{changes} requests repeated, each got its first answer; another content was refused"
            finally:
                server.clean()


def add_lines(faults):
    steps = Steps(faults)
    some = faults.some
    traced = lambda work: work if may_trace() else lambda: NO_TRACE
    each = [("openat", n) for n in range(1, 5)] + [("pwrite64", n) for n in range(1, 6)]
    each += [("fsync", n) for n in range(1, 4)] + [(RENAMES, 1), ("unlink", 1)]
    faults.line("SIGKILL at each step of a snapshot", traced(lambda: steps.snapshot(
        some(each, [("pwrite64", 2), ("fsync", 1), (RENAMES, 1), ("unlink", 1)]))))
    files = [("unlink", n) for n in range(1, 8)] + [("rmdir", 1)]
    rows = [(call, n, "repath.db-wal") for call in ("pwrite64", SYNCS) for n in range(1, 12)]
    faults.line("SIGKILL at each step of a deletion", traced(lambda: steps.deletion(
        some(files + rows, [("unlink", 2), ("rmdir", 1), (SYNCS, 2, "repath.db-wal")]))))
    if not faults.is_short:
        drops = [("pwrite64", n) for n in (1, 5, 20, 60, 120, 200, 300)] + [(SYNCS, n) for n in range(1, 7)]
        faults.line("SIGKILL at each step of dropping old records", traced(lambda: steps.compaction(24_000, drops)))
    faults.line("the same request ids after SIGKILL", lambda: steps.request_ids(some(40, 12)))
