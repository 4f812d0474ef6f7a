"""Lines of tests/faults.sh about forks and backups: a kill leaves a whole copy, or none that counts."""
import os
import shutil
import signal

from servers import NO_TRACE, RENAMES, SYNCS, Folder, Server, may_trace

BACKUP_CALLS = ("pwrite64", "link", "syncfs", RENAMES, SYNCS)


class Copies:
    def __init__(self, faults):
        self.faults = faults

    def killed(self, data, inject, work, more=()):
        """Runs `work` on a server until the fault ends it; returns whether it did."""
        server = Server(self.faults.bin, data, inject, more)
        try:
            if server.wait_ready():
                work(server)
            return not server.is_running()
        finally:
            server.clean()

    def expect_hash(self, server, world, changes):
        """Counts a world that does not equal the one in memory after so many changes."""
        revision, state = server.world(world)
        if revision is None:
            self.faults.lost += 1
        elif revision != changes + 1 or state != self.faults.hashes[changes]:
            self.faults.wrong += 1

    # ---- forks ----

    def fork(self, data, inject, acknowledged):
        """Forks at one revision after another until the server dies. Returns whether it did, and the fork under way."""
        under_way = []

        def work(server):
            for changes in range(20):
                under_way[:] = [changes]
                status, _ = server.call("world", "fork", "w", f"fork-{changes}", "--revision", str(changes + 1))
                if status != 0:
                    return
                acknowledged.append(changes)
                under_way.clear()
        return self.killed(data, inject, work), under_way

    def forks(self, numbers):
        came = whole = 0
        with Folder() as filled:
            client = self.faults.fill(filled, 20)
            for call, number in numbers:
                with Folder(filled) as data:
                    acknowledged = []
                    is_dead, under_way = self.fork(data, (call, f"signal=KILL:when={number}"), acknowledged)
                    came += 1 if is_dead else 0
                    server = Server(self.faults.bin, data)
                    try:
                        assert server.wait_ready(), server.text()
                        self.expect_hash(server, "w", len(client.answers))
                        for changes in acknowledged:
                            self.expect_hash(server, f"fork-{changes}", changes)
                        for changes in under_way:
                            if server.world(f"fork-{changes}")[0] is not None:
                                self.expect_hash(server, f"fork-{changes}", changes)
                        whole += len(acknowledged)
                    finally:
                        server.clean()
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came; {whole} acknowledged forks, all equal to their source"

    # ---- backups ----

    def backups(self, numbers):
        came = whole = half = 0
        with Folder() as filled:
            client = self.faults.fill(filled, 20, 2)
            for call, number in numbers:
                with Folder() as root:
                    data, backups = f"{root}/data", f"{root}/backups"
                    shutil.copytree(filled, data)
                    acknowledged = []

                    def work(server):
                        for attempt in range(4):
                            if server.call("backup", f"b{attempt}")[0] != 0:
                                return
                            acknowledged.append(f"b{attempt}")
                    came += 1 if self.killed(data, (call, f"signal=KILL:when={number}"), work,
                                             ("--backup-dir", backups)) else 0
                    found = sorted(os.listdir(backups)) if os.path.isdir(backups) else []
                    self.faults.lost += len(set(acknowledged) - set(found))
                    for name in found:
                        if self.restore(f"{backups}/{name}", f"{root}/{name}.restored", len(client.answers)):
                            whole += 1
                        else:
                            half += 1
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came; {whole} whole backups restored, {half} half ones refused"

    def restore(self, backup, data, changes):
        """Restores and compares. Returns False for half a backup, which must be refused. A folder that was not renamed
        yet may be whole."""
        server = Server(self.faults.bin, "none")
        status, answer = server.call("restore", backup, data)
        server.clean()
        if status != 0 and backup.endswith(".partial"):
            assert not os.path.exists(data), "a refused restore made a folder"
            return False
        if status != 0:
            raise RuntimeError(f"{backup}: {answer}")
        server = Server(self.faults.bin, data)
        try:
            assert server.wait_ready(), server.text()
            self.expect_hash(server, "w", changes)
            server.end(signal.SIGTERM)
        finally:
            server.clean()
        return True


def add_lines(faults):
    """Runs both lines."""
    copies = Copies(faults)
    some = faults.some
    forks = [("pwrite64", n) for n in some(range(6, 60, 4), [30])]
    forks += [(RENAMES, n) for n in some(range(1, 8), [2])]
    forks += [(SYNCS, n) for n in some(range(4, 40, 3), [9])]
    backups = [(call, n) for call in BACKUP_CALLS for n in some(range(1, 8), [2])]
    faults.line("SIGKILL while worlds are forked", lambda: copies.forks(forks) if may_trace() else NO_TRACE)
    faults.line("SIGKILL while a backup is written", lambda: copies.backups(backups) if may_trace() else NO_TRACE)
