"""Lines of tests/faults.sh about disks that refuse: no space, errors of writes, a sync that fails."""
import ctypes
import functools
import os
import signal
import subprocess
import time

from servers import NO_TRACE, SYNCS, Client, Folder, Server, may_trace

CLONE_NEWNS = 0x20000
COMES_BACK_S = 20  # after there is space again


@functools.lru_cache
def may_mount():
    """Returns whether mounts can be made here. Then they are this process's own, and end with it."""
    if os.geteuid() != 0:
        return False
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        return False
    return subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, check=False).returncode == 0


def mount(*arguments):
    """Returns why it failed, or nothing."""
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode != 0 else None


class Disks:
    def __init__(self, faults):
        self.faults = faults

    def change_until(self, server, client, wanted, what):
        """Makes changes until one is acknowledged, or refused. Returns the seconds that it took."""
        began = time.monotonic()
        while client.change(server) != wanted:
            assert time.monotonic() < began + COMES_BACK_S, what
        return time.monotonic() - began

    def full_disk(self):
        """A tmpfs shrinks to what is on it and grows again."""
        if not may_mount():
            return "skipped: no right to mount a tmpfs"
        with Folder() as data:
            why = mount("-t", "tmpfs", "-o", "size=160m", "tmpfs", data)
            if why:
                return "skipped: " + why
            server = Server(self.faults.bin, data)
            client = Client()
            try:
                assert server.wait_ready(), server.text()
                assert client.make(server) and client.change(server)
                assert not mount("-o", "remount,size=8m", data)
                self.change_until(server, client, False, "a full disk refused nothing")
                assert "STORE_UNAVAILABLE" in str(client.refusal), client.refusal
                assert server.world()[0] is not None, "reads must go on"
                assert not mount("-o", "remount,size=160m", data)
                seconds = self.change_until(server, client, True, "it does not come back")
                server.end()
                self.faults.check(data, client)
                return f"refused with STORE_UNAVAILABLE, takes changes again {seconds:.2f} s after it grew"
            finally:
                server.clean()
                subprocess.run(["umount", data], check=False)

    def failed_writes(self, numbers):
        """Five writes in a row find no space, from the n-th on; then there is space again."""
        if not may_trace():
            return NO_TRACE
        refused = unopened = failed = 0
        longest = 0.0
        for number in numbers:
            with Folder() as data:
                client = self.faults.fill(data, 2)
                wal = (f"{data}/repath.db-wal", f"{data}/repath.db")
                server = Server(self.faults.bin, data,
                                ("pwrite64", f"error=ENOSPC:when={number}..{number + 4}", *wal))
                try:
                    if server.wait_ready():
                        asked, seconds = self.insist(server, client)
                        refused += asked
                        longest = max(longest, seconds)
                        failed += server.failed_commits()
                    else:
                        assert "stopped exit=1 reason=" in server.text(), server.text()
                        unopened += 1
                    server.end()
                    self.faults.check(data, client)
                finally:
                    server.clean()
        assert failed > 0, "the fault never came"
        return (f"{failed:.0f} commits failed in {len(numbers)} runs, and {unopened} starts; {refused} calls refused, each "
                f"taken within {longest:.2f} s")

    def insist(self, server, client):
        """Makes changes, each again until it is taken. Returns how many calls were refused, and the longest time until
        one was taken."""
        refused = 0
        longest = 0.0
        while len(client.answers) < 12:
            began = time.monotonic()
            while not client.change(server):
                refused += 1
                assert "STORE_UNAVAILABLE" in str(client.refusal), client.refusal
                assert time.monotonic() < began + COMES_BACK_S, "it stays refused"
            longest = max(longest, time.monotonic() - began)
        return refused, longest

    def failed_sync(self, numbers, for_good):
        """After a sync that failed nothing is acknowledged, reads go on, the server is not ready."""
        if not may_trace():
            return NO_TRACE
        came = unopened = 0
        for number in numbers:
            with Folder() as data:
                client = self.faults.fill(data, 2)
                when = f"when={number}+" if for_good else f"when={number}"
                server = Server(self.faults.bin, data, (SYNCS, f"error=EIO:{when}"))
                try:
                    if not server.wait_ready():
                        assert "stopped exit=1 reason=" in server.text(), server.text()
                        unopened += 1
                    elif server.world()[0] is None:
                        assert "STORE_UNAVAILABLE" in str(server.world()[1]), server.text()
                        unopened += 1
                    else:
                        while len(client.answers) < 12 and client.change(server):
                            pass
                        if len(client.answers) < 12:
                            came += 1
                            self.expect_final(server, client)
                    server.end(signal.SIGTERM)
                finally:
                    server.clean()
                self.faults.check(data, client)
        assert came > 0, "the fault never came"
        return (f"{came} of {len(numbers)} syncs failed in a change and {unopened} before; nothing was "
                "acknowledged after, reads went on, not ready; all there after a restart")

    def expect_final(self, server, client):
        assert "STORE_UNAVAILABLE" in str(client.refusal), client.refusal
        for _ in range(3):
            if client.change(server):
                self.faults.wrong += 1
            time.sleep(0.05)
        ends_at = time.monotonic() + 3
        while server.is_ready() and time.monotonic() < ends_at:
            time.sleep(0.05)
        self.faults.wrong += 1 if server.is_ready() else 0
        assert server.world()[0] is not None, "reads must go on"


def add_lines(faults):
    disks = Disks(faults)
    some = faults.some
    faults.line("a full tmpfs that grows again", disks.full_disk)
    faults.line("writes that find no space for a while", lambda: disks.failed_writes(
        some(range(1, 40, 6), [14])))
    faults.line("fdatasync fails once", lambda: disks.failed_sync(some(range(1, 14), [6]), False))
    faults.line("fdatasync fails for good", lambda: disks.failed_sync(some(range(1, 14), [5]), True))
