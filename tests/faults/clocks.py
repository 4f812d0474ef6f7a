"""Lines of tests/faults.sh about clocks that jump: the calendar's while the server runs, the monotonic one from one
start to the next, as after a restart of the machine."""
import glob
import os
import subprocess

from servers import Client, Folder, Server

DAY_S = 86_400
JUMPS_S = (3600, -DAY_S, 400 * DAY_S, 0)  # of the calendar's clock, from today's time
SHIFTS_S = (0, 5_000_000, 100)  # of the monotonic clock


class Clocks:
    def __init__(self, faults):
        self.faults = faults

    def calendar(self):
        """Changes go on through each jump, and no kill loses any."""
        found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not found:
            return "skipped: libfaketime is not installed"
        client = Client()
        with Folder() as data, Folder() as folder:
            clock = f"{folder}/clock"
            env = {"LD_PRELOAD": found[0], "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1",
                   "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            for jump in JUMPS_S:
                self.set(clock, 0)
                server = Server(self.faults.bin, data, env=env)
                try:
                    assert server.wait_ready(), server.text()
                    assert client.made or client.make(server)
                    self.expect_changes(server, client)
                    self.set(clock, jump)
                    self.expect_changes(server, client)
                    # Answers are kept for ten minutes of the calendar.
                    self.faults.compare(server, client, repeats=True)
                finally:
                    server.clean()
                self.faults.check(data, client, repeats=jump >= 0)
        return (f"{len(JUMPS_S)} jumps of up to {max(JUMPS_S) // DAY_S} days, {len(client.answers)} changes, SIGKILL after "
                "each; all there, requests kept")

    @staticmethod
    def set(clock, seconds):
        with open(f"{clock}.new", "w") as file:
            file.write(f"{seconds:+d}s\n")
        os.rename(f"{clock}.new", clock)

    def expect_changes(self, server, client):
        for _ in range(3):
            assert client.change(server), client.refusal

    def monotonic(self):
        """Each start of the server has a monotonic clock of its own."""
        wraps = [["unshare", "--time", "--fork", "--kill-child", f"--monotonic={shift}", f"--boottime={shift}"]
                 for shift in SHIFTS_S]
        if subprocess.run([*wraps[0], "true"], capture_output=True, check=False).returncode != 0:
            return "skipped: no right to a time namespace"
        client = Client()
        with Folder() as data:
            for wrap in wraps:
                server = Server(self.faults.bin, data, wrap=wrap)
                try:
                    assert server.wait_ready(), server.text()
                    assert client.made or client.make(server)
                    self.expect_changes(server, client)
                finally:
                    server.clean()
                self.faults.check(data, client)
        return f"{len(wraps)} starts up to {max(SHIFTS_S)} s apart, {len(client.answers)} changes, all there"


def add_lines(faults):
    clocks = Clocks(faults)
    faults.line("jumps of the calendar's clock", clocks.calendar)
    faults.line("a monotonic clock that begins anew", clocks.monotonic)
