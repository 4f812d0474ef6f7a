#!/usr/bin/env python3
"""Faults on real processes, see tests/faults.sh."""
import json
import os
import signal
import sys
import time

import clocks
import copies
import damage
import disks
import power
import steps
import verified
from servers import NO_TRACE, RENAMES, SYNCS, TOP, Client, Folder, Server, may_trace


class Faults:
    def __init__(self, bin_dir, is_short, wanted=""):
        self.bin, self.is_short, self.wanted = bin_dir, is_short, wanted
        self.lines = self.lost = self.doubled = self.wrong = 0
        self.failed = []  # names of lines
        self.hashes = {}  # of a world in memory after so many changes

    # ---- lines ----

    def line(self, name, work):
        if self.wanted not in name:
            return
        self.lines += 1
        before = self.counts()
        began = time.monotonic()
        try:
            figure = work()
            changed = [f"{now - then} {name}" for name, now, then in
                       zip(("lost", "doubled", "wrong"), self.counts(), before) if now != then]
            is_ok = not changed
            figure = ", ".join([figure, *changed])
        except Exception as error:  # a fault of the test counts as one of the server
            figure, is_ok = repr(error), False
        if not is_ok:
            self.failed.append(name)
        print(f"{'ok    ' if is_ok else 'FAILED'} {name}: {figure} ({time.monotonic() - began:.0f} s)", flush=True)

    def some(self, wide, narrow):
        return narrow if self.is_short else wide

    def counts(self):
        return self.lost, self.doubled, self.wrong

    def end(self):
        print(json.dumps({"lines": self.lines, "failed": self.failed, "lost": self.lost,
                          "doubled": self.doubled, "wrong": self.wrong}))
        return 1 if self.failed else 0

    # ---- the model ----

    def prepare(self, most):
        """Learns from a server in memory the state after each number of changes."""
        server = Server(self.bin, "none")
        try:
            assert server.wait_ready(), server.text()
            client = Client()
            assert client.make(server)
            self.hashes[0] = server.world()[1]
            for number in range(most):
                assert client.change(server)
                self.hashes[number + 1] = client.answers[number][1]
        finally:
            server.clean()

    def check(self, data, client, repeats=True):
        """Starts a sound server on the folder and compares. Returns seconds to ready."""
        server = Server(self.bin, data)
        try:
            if not server.wait_ready():
                raise RuntimeError("does not start: " + server.text()[-300:])
            seconds = time.monotonic() - server.began
            self.compare(server, client, repeats)
            return seconds
        finally:
            server.clean()

    def compare(self, server, client, repeats=True):
        """Counts what the server lost, doubled or changed of what the client was told."""
        revision, state = server.world()
        if revision is None:
            self.lost += 1 if client.made else 0
            return
        applied = revision - 1
        acknowledged = len(client.answers)
        if applied < acknowledged:
            self.lost += acknowledged - applied
        if applied > acknowledged + (1 if client.in_flight is not None else 0):
            self.doubled += 1
        if state != (self.hashes[applied] if applied in self.hashes else client.answers[applied - 1][1]):
            self.wrong += 1
        if repeats:
            self.repeat(server, client, applied)

    def repeat(self, server, client, applied, most=3):
        """Each acknowledged request gets its first answer; the one under way takes effect once."""
        for number in list(range(len(client.answers)))[-most:]:
            if client.repeat(server, number) != client.answers[number][0]:
                self.doubled += 1
        if client.in_flight is None or client.in_flight not in (applied, applied - 1):
            return
        for _ in range(2):
            if client.repeat(server, client.in_flight) != client.in_flight + 2:
                self.doubled += 1
        if server.world()[1] != self.hashes[client.in_flight + 1]:
            self.wrong += 1

    # ---- faults ----

    def run_until_death(self, data, inject, changes, term=False, client=None):
        """Returns the client, and whether the fault came."""
        server = Server(self.bin, data, inject)
        is_new = client is None
        client = client or Client()
        try:
            if server.wait_ready() and (not is_new or client.make(server)):
                while len(client.answers) < changes and client.change(server):
                    pass
            if term and server.is_running():
                server.send(signal.SIGTERM)
                server.process.wait(20)
            return client, not server.is_running() and server.process.returncode != 0
        finally:
            server.clean()

    def sweep(self, call, numbers, changes, term=False):
        if not may_trace():
            return NO_TRACE
        came = 0
        slowest = 0.0
        for number in numbers:
            with Folder() as data:
                client, is_dead = self.run_until_death(data, (call, f"signal=KILL:when={number}"), changes, term)
                came += 1 if is_dead else 0
                slowest = max(slowest, self.check(data, client))
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came, ready again in at most {slowest:.2f} s"

    def fill(self, data, changes, drains=1, durability=None, **options):
        """Makes a world and snapshots of `drains` shut-downs in the folder. Returns the client."""
        client = Client()
        more = {"durability": durability} if durability else {}
        for drain in range(drains):
            server = Server(self.bin, data)
            try:
                assert server.wait_ready(), server.text()
                if drain == 0:
                    assert client.make(server, **options)
                while len(client.answers) < changes * (drain + 1) // drains:
                    assert client.change(server, **more), client.refusal
                server.end(signal.SIGTERM)
            finally:
                server.clean()
        return client

    def second_server(self):
        with Folder() as data:
            first = Server(self.bin, data)
            try:
                assert first.wait_ready(), first.text()
                second = Server(self.bin, data)
                status = second.process.wait(20)
                text = second.text()
                second.clean()
                if status != 1 or str(first.process.pid) not in text:
                    raise RuntimeError("not refused with the pid: " + text[-200:])
                return "refused, naming the process that has the folder"
            finally:
                first.clean()

    def run(self):
        changes = self.some(40, 12)
        self.prepare(power.MOST_CHANGES + 2)
        self.line("SIGKILL at the n-th pwrite64", lambda: self.sweep(
            "pwrite64", self.some([*range(1, 60, 3)], [5, 23, 37]), changes))
        self.line("SIGKILL at the n-th fdatasync", lambda: self.sweep(
            SYNCS, self.some([*range(1, 30)], [2, 6, 9]), changes))
        self.line("SIGKILL at the n-th rename", lambda: self.sweep(
            RENAMES, self.some([1, 2], [1]), changes, term=True))
        self.line("a second server on the folder", self.second_server)
        for part in (steps, damage, disks, power, clocks, copies, verified):
            part.add_lines(self)
        return self.end()


def main():
    arguments = sys.argv[1:]
    is_short = "--short" in arguments
    only = [a.split("=", 1)[1] for a in arguments if a.startswith("--only=")]
    rest = [a for a in arguments if not a.startswith("--")]
    bin_dir = os.path.abspath(rest[0] if rest else f"{TOP}/build/dev/bin")
    return Faults(bin_dir, is_short, only[0] if only else "").run()


if __name__ == "__main__":
    sys.exit(main())
