"""Lines of tests/faults.sh about forks and backups: a kill leaves a whole copy, or none that counts."""
import os
import shutil
import signal
import tempfile

BACKUP_CALLS = ("pwrite64", "link", "syncfs", "rename,renameat,renameat2", "fdatasync,fsync")


class Copies:
    def __init__(self, faults, server_class):
        self.faults = faults
        self.server_class = server_class

    def killed(self, data, inject, work, more=()):
        """Runs `work` on a server until the fault ends it; returns whether it did."""
        server = self.server_class(self.faults.bin, data, inject, more)
        try:
            if server.wait_ready():
                work(server)
            return not server.is_running()
        finally:
            server.clean()

    def expect_hash(self, server, world, changes):
        """Counts a world that does not equal the one in memory after so many changes."""
        status, shown = server.call("world", "show", world)
        if status != 0:
            self.faults.lost += 1
        elif shown["revision"] != changes + 1 or shown["state_hash"] != self.faults.hashes[changes]:
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
        filled, client = self.faults.filled(20)
        came = whole = 0
        try:
            for call, number in numbers:
                data = tempfile.mkdtemp(prefix="repath_data_")
                shutil.copytree(filled, data, dirs_exist_ok=True)
                acknowledged = []
                is_dead, under_way = self.fork(data, (call, f"signal=KILL:when={number}"), acknowledged)
                came += 1 if is_dead else 0
                server = self.server_class(self.faults.bin, data)
                try:
                    assert server.wait_ready(), server.text()
                    self.expect_hash(server, "w", len(client.answers))
                    for changes in acknowledged:
                        self.expect_hash(server, f"fork-{changes}", changes)
                    for changes in under_way:
                        if server.call("world", "show", f"fork-{changes}")[0] == 0:
                            self.expect_hash(server, f"fork-{changes}", changes)
                    whole += len(acknowledged)
                finally:
                    server.clean()
                    shutil.rmtree(data, ignore_errors=True)
        finally:
            shutil.rmtree(filled, ignore_errors=True)
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came; {whole} acknowledged forks, all equal to their source"

    # ---- backups ----

    def backups(self, numbers):
        filled, client = self.faults.filled(20, 2)
        came = whole = half = 0
        try:
            for call, number in numbers:
                root = tempfile.mkdtemp(prefix="repath_backup_")
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
                try:
                    found = sorted(os.listdir(backups)) if os.path.isdir(backups) else []
                    self.faults.lost += len(set(acknowledged) - set(found))
                    for name in found:
                        if self.restore(f"{backups}/{name}", f"{root}/restored-{name}", len(client.answers)):
                            whole += 1
                        else:
                            half += 1
                finally:
                    shutil.rmtree(root, ignore_errors=True)
        finally:
            shutil.rmtree(filled, ignore_errors=True)
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came; {whole} whole backups restored, {half} half ones refused"

    def restore(self, backup, data, changes):
        """Restores and compares. Returns False for half a backup, which must be refused. A folder that was not renamed
        yet may be whole."""
        server = self.server_class(self.faults.bin, "none")
        status, answer = server.call("restore", backup, data)
        server.clean()
        if status != 0 and backup.endswith(".partial"):
            assert not os.path.exists(data), "a refused restore made a folder"
            return False
        if status != 0:
            raise RuntimeError(f"{backup}: {answer}")
        server = self.server_class(self.faults.bin, data)
        try:
            assert server.wait_ready(), server.text()
            self.expect_hash(server, "w", changes)
            server.end(signal.SIGTERM)
        finally:
            server.clean()
        return True


def add_lines(faults, server_class, may_trace):
    """Runs both lines."""
    copies = Copies(faults, server_class)
    short = faults.is_short
    forks = [("pwrite64", n) for n in ([12, 30] if short else range(6, 60, 4))]
    forks += [("rename,renameat,renameat2", n) for n in ([2] if short else range(1, 8))]
    forks += [("fdatasync,fsync", n) for n in ([9] if short else range(4, 40, 3))]
    backups = [(call, n) for call in BACKUP_CALLS for n in ([2] if short else range(1, 8))]
    skipped = "skipped: strace is missing, or may not trace here"
    faults.line("SIGKILL while worlds are forked", lambda: copies.forks(forks) if may_trace() else skipped)
    faults.line("SIGKILL while a backup is written", lambda: copies.backups(backups) if may_trace() else skipped)
