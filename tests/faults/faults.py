#!/usr/bin/env python3
"""Faults on real processes, see tests/faults.sh."""
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import copies

SIDE = 40  # cells of the world's sides
BAD_FIGURES = ("wrong", "missed_improvements", "invalid_paths", "unsettled")  # of `repath verify`
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

VERIFIED = {"grid": f"{TOP}/tests/data/maps/rooms_128.map", "mesh": f"{TOP}/deploy/maps/house.json",
            "graph": f"{TOP}/deploy/maps/streets.json"}


def may_trace():
    """Returns whether strace works here; some containers forbid it."""
    return os.system("strace -qqq -o /dev/null true >/dev/null 2>&1") == 0


def ended_within(process, seconds):
    """Waits for the end of the process; returns whether it came in time."""
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


class Server:
    """A repathd; under strace if faults are injected into its system calls."""

    def __init__(self, bin_dir, data, inject=None, more=()):
        self.bin, self.data, self.inject, self.more = bin_dir, data, inject, more
        self.folder = tempfile.mkdtemp(prefix="repath_faults_")
        self.address = f"unix:{self.folder}/s"
        self.log_path = f"{self.folder}/log"
        self.start()

    def start(self):
        inject = self.inject
        command = [f"{self.bin}/repathd", "--listen", self.address, "--admin", "127.0.0.1:0",
                   "--data", self.data, "--world-threads", "2", "--query-threads", "2", *self.more]
        if inject:
            command = ["strace", "-f", "-qqq", "-o", "/dev/null", "-e", f"trace={inject[0]}",
                       "-e", f"inject={inject[0]}:{inject[1]}"] + command
        self.is_traced = bool(inject)
        self.log = open(self.log_path, "w")
        self.process = subprocess.Popen(command, stderr=self.log, stdout=self.log)
        self.began = time.monotonic()

    def text(self):
        with open(self.log_path) as log:
            return log.read()

    def wait_ready(self, seconds=20):
        while time.monotonic() < self.began + seconds:
            if "ready admin=" in self.text():
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.01)
        return False

    def call(self, *arguments):
        """Returns (exit status, parsed JSON or the error's text)."""
        done = subprocess.run([f"{self.bin}/repath", "--server", self.address, *arguments, "--json"],
                              capture_output=True, text=True, timeout=60, check=False)
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            return done.returncode, done.stdout + done.stderr

    def is_running(self):
        return self.process.poll() is None

    def send(self, number):
        """strace passes on no signals, so its child gets them."""
        pid = self.process.pid
        if self.is_traced:
            with open(f"/proc/{pid}/task/{pid}/children") as children:
                pid = int((children.read().split() or [pid])[0])
        os.kill(pid, number)

    def end(self, number=signal.SIGKILL):
        try:
            if self.is_running():
                self.send(number)
        except (OSError, ProcessLookupError):
            pass  # it has just ended
        status = self.process.wait()
        self.log.close()
        return status

    def clean(self):
        if self.is_running():
            self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Client:
    """Makes changes one after the other, each with a request id, and knows which were acknowledged."""

    def __init__(self):
        self.made = False
        self.answers = []  # (revision, hash) of each acknowledged change; they are numbered from 0
        self.in_flight = None

    @staticmethod
    def arguments(number):
        x, y = number % SIDE, number // SIDE % SIDE
        return ["world", "apply", "w", "--id", str(number + 1), "--block", f"{x},{y},{x + 1},{y + 1}",
                "--request-id", f"r{number}"]

    def make(self, server):
        status, _ = server.call("world", "create", "w", "--width", str(SIDE), "--height", str(SIDE))
        self.made = self.made or status == 0
        return status == 0

    def change(self, server):
        """Returns whether the change was acknowledged."""
        number = len(self.answers)
        self.in_flight = number
        status, answer = server.call(*self.arguments(number))
        if status != 0:
            return False
        self.answers.append((answer["revision"], answer.get("state_hash")))
        self.in_flight = None
        return True


class Faults:
    def __init__(self, bin_dir, is_short):
        self.bin, self.is_short = bin_dir, is_short
        self.lines = self.lost = self.doubled = self.wrong = 0
        self.failed = []  # names of lines
        self.hashes = {}  # of a world in memory after so many changes

    # ---- lines ----

    def line(self, name, work):
        self.lines += 1
        before = (self.lost, self.doubled, self.wrong)
        try:
            figure = work()
            is_ok = before == (self.lost, self.doubled, self.wrong)
        except Exception as error:  # a fault of the test counts as one of the server
            figure, is_ok = repr(error), False
        if not is_ok:
            self.failed.append(name)
        print(f"{'ok    ' if is_ok else 'FAILED'} {name}: {figure}", flush=True)

    def end(self):
        print(json.dumps({"lines": self.lines, "failed": self.failed, "lost": self.lost,
                          "doubled": self.doubled, "wrong": self.wrong}))
        return 1 if self.failed else 0

    # ---- the model ----

    def prepare(self, most):
        """Asks a server in memory for the state after each number of changes."""
        server = Server(self.bin, "none")
        try:
            assert server.wait_ready(), server.text()
            client = Client()
            assert client.make(server)
            self.hashes[0] = server.call("world", "show", "w")[1]["state_hash"]
            for number in range(most):
                assert client.change(server)
                self.hashes[number + 1] = server.call("world", "show", "w")[1]["state_hash"]
        finally:
            server.clean()

    def check(self, data, client):
        """Starts a sound server on the folder and compares. Returns seconds to ready."""
        server = Server(self.bin, data)
        try:
            if not server.wait_ready():
                raise RuntimeError("does not start: " + server.text()[-300:])
            seconds = time.monotonic() - server.began
            status, world = server.call("world", "show", "w")
            if status != 0:
                if client.made:
                    self.lost += 1
                return seconds
            applied = world["revision"] - 1
            acknowledged = len(client.answers)
            if applied < acknowledged:
                self.lost += acknowledged - applied
            if applied > acknowledged + (1 if client.in_flight is not None else 0):
                self.doubled += 1
            if world["state_hash"] != self.hashes[applied]:
                self.wrong += 1
            self.repeat(server, client, applied)
            return seconds
        finally:
            server.clean()

    def repeat(self, server, client, applied):
        """Each acknowledged request gets its first answer; the one under way takes effect once."""
        numbers = list(range(len(client.answers)))
        for number in numbers[-3:]:
            status, answer = server.call(*client.arguments(number))
            if status != 0 or answer["revision"] != client.answers[number][0]:
                self.doubled += 1
        if client.in_flight is None or client.in_flight not in (applied, applied - 1):
            return
        for _ in range(2):
            status, answer = server.call(*client.arguments(client.in_flight))
            if status != 0 or answer["revision"] != client.in_flight + 2:
                self.doubled += 1
        status, world = server.call("world", "show", "w")
        if world["state_hash"] != self.hashes[client.in_flight + 1]:
            self.wrong += 1

    # ---- faults ----

    def run_until_death(self, data, inject, changes, term=False):
        """Returns the client, and whether the fault came."""
        server = Server(self.bin, data, inject)
        client = Client()
        try:
            if server.wait_ready() and client.make(server):
                while len(client.answers) < changes and client.change(server):
                    pass
            if term and server.is_running():
                server.send(signal.SIGTERM)
                server.process.wait(20)
            return client, not server.is_running()
        finally:
            server.clean()

    def sweep(self, call, numbers, changes, term=False):
        if not may_trace():
            return "skipped: strace is missing, or may not trace here"
        came = 0
        slowest = 0.0
        for number in numbers:
            data = tempfile.mkdtemp(prefix="repath_data_")
            try:
                client, is_dead = self.run_until_death(data, (call, f"signal=KILL:when={number}"),
                                                       changes, term)
                came += 1 if is_dead else 0
                slowest = max(slowest, self.check(data, client))
            finally:
                shutil.rmtree(data, ignore_errors=True)
        assert came > 0, "the fault never came"
        return f"{came} of {len(numbers)} kills came, ready again in at most {slowest:.2f} s"

    def filled(self, changes, drains=1):
        """Returns a folder with a world and snapshots of `drains` shut-downs, and its client."""
        data = tempfile.mkdtemp(prefix="repath_data_")
        client = Client()
        for drain in range(drains):
            server = Server(self.bin, data)
            try:
                assert server.wait_ready(), server.text()
                if drain == 0:
                    assert client.make(server)
                while len(client.answers) < changes * (drain + 1) // drains:
                    assert client.change(server)
                server.end(signal.SIGTERM)
            finally:
                server.clean()
        return data, client

    def second_server(self):
        data = tempfile.mkdtemp(prefix="repath_data_")
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
            shutil.rmtree(data, ignore_errors=True)

    def flips(self, pattern, count, drains):
        """Flips one bit at a time; the world must be whole, or refused with the reason."""
        rng = random.Random(1)
        whole = refused = 0
        data, client = self.filled(20, drains)
        try:
            for _ in range(count):
                copy = data + "_flipped"
                shutil.copytree(data, copy)
                files = sorted(glob.glob(f"{copy}/{pattern}", recursive=True), key=os.path.getmtime)
                assert files, "no file " + pattern
                with open(files[-1], "r+b") as file:
                    place = rng.randrange(os.path.getsize(files[-1]))
                    file.seek(place)
                    byte = file.read(1)[0]
                    file.seek(place)
                    file.write(bytes([byte ^ 1 << rng.randrange(8)]))
                server = Server(self.bin, copy)
                try:
                    if not server.wait_ready():
                        if "stopped exit=1 reason=" not in server.text():
                            self.wrong += 1
                        refused += 1
                        continue
                    status, world = server.call("world", "show", "w")
                    if status == 0:
                        whole += 1
                        if world["revision"] != len(client.answers) + 1:
                            self.lost += 1
                        elif world["state_hash"] != self.hashes[len(client.answers)]:
                            self.wrong += 1
                    elif "WORLD_DAMAGED" in str(world) or "is damaged" in str(world):
                        refused += 1
                    else:
                        self.lost += 1
                    if not server.is_running():
                        self.wrong += 1
                finally:
                    server.clean()
                    shutil.rmtree(copy, ignore_errors=True)
            return f"{count} flips: {whole} whole, {refused} refused with the reason"
        finally:
            shutil.rmtree(data, ignore_errors=True)

    def full_disk(self):
        data = tempfile.mkdtemp(prefix="repath_data_")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", data],
                                 capture_output=True, check=False).returncode == 0
        if not mounted:
            shutil.rmtree(data, ignore_errors=True)
            return "skipped: no right to mount a tmpfs"
        server = Server(self.bin, data)
        client = Client()
        try:
            assert server.wait_ready(), server.text()
            assert client.make(server) and client.change(server)
            space = os.statvfs(data)
            with open(f"{data}/filler", "wb") as filler:
                filler.write(b"x" * (space.f_bavail * space.f_frsize - (8 << 20)))
            ends_at = time.monotonic() + 20
            while client.change(server):
                assert time.monotonic() < ends_at, "a full disk refused nothing"
            status, text = server.call(*client.arguments(len(client.answers)))
            assert "STORE_UNAVAILABLE" in str(text), text
            assert server.call("world", "show", "w")[0] == 0, "reads must go on"
            os.remove(f"{data}/filler")
            began = time.monotonic()
            while not client.change(server):
                assert time.monotonic() < began + 20, "it does not come back"
            seconds = time.monotonic() - began
            server.end()
            self.check(data, client)
            return f"refused with STORE_UNAVAILABLE, takes changes again {seconds:.2f} s after space"
        finally:
            server.clean()
            subprocess.run(["umount", data], check=False)
            shutil.rmtree(data, ignore_errors=True)

    def verified(self, map_name, agents, events, kills, *more):
        """Kills the server in the middle of `repath verify`, which goes on after each start. Runs it again, with
        other seeds, until all kills were in the middle of a run."""
        data = tempfile.mkdtemp(prefix="repath_data_")
        server = Server(self.bin, data)
        checker = None
        ready, restarts, verdicts, settled = [], 0, 0, 0.0
        try:
            assert server.wait_ready(), server.text()
            seed = 0
            while restarts < kills:
                seed += 1
                checker = subprocess.Popen(
                    [f"{self.bin}/repath", "--server", server.address, "verify", "--map", map_name,
                     "--agents", str(agents), "--events", str(events), "--seed", str(seed),
                     "--restart-s", "30", "--json", *more],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while len(ready) < kills * 2 and not ended_within(checker, 1.5):
                    server.end()
                    os.remove(f"{server.folder}/s")
                    server.start()
                    assert server.wait_ready(), server.text()
                    ready.append(time.monotonic() - server.began)
                output, errors = checker.communicate(timeout=600)
                figures = json.loads(output)
                if "error" in figures:
                    self.wrong += 1
                    return f"seed {seed}: {figures} {errors[-300:]}"
                bad = {name: figures[name] for name in BAD_FIGURES}
                if checker.returncode != 0 or any(bad.values()):
                    self.wrong += 1
                    return f"seed {seed}: {bad} {errors[-300:]}"
                restarts += figures["restarts"]
                verdicts += figures["verdicts"]
                settled = max(settled, figures["resettled_seconds"])
                if len(ready) >= kills * 2 and restarts < kills:
                    raise RuntimeError(f"the checker saw {restarts} of {len(ready)} kills")
            return (f"{len(ready)} kills, {restarts} seen by the checker, {verdicts} verdicts, none wrong; ready "
                    f"after at most {max(ready):.2f} s, all settled at most {settled:.2f} s after the kill")
        finally:
            if checker is not None and checker.poll() is None:
                checker.kill()
            server.clean()
            shutil.rmtree(data, ignore_errors=True)

    def run(self):
        short = self.is_short
        changes = 12 if short else 40
        self.prepare(max(changes + 2, 24))
        some = lambda wide, narrow: narrow if short else wide
        self.line("SIGKILL at the n-th pwrite64", lambda: self.sweep(
            "pwrite64", some([*range(1, 60, 3)], [5, 14, 23, 37]), changes))
        self.line("SIGKILL at the n-th fdatasync", lambda: self.sweep(
            "fdatasync,fsync", some([*range(1, 30)], [2, 6, 9]), changes))
        self.line("SIGKILL at the n-th rename", lambda: self.sweep(
            "rename,renameat,renameat2", some([1, 2], [1]), changes, term=True))
        self.line("SIGKILL in the middle of a snapshot", lambda: self.sweep(
            "rename,renameat,renameat2", [2], 6, term=True))
        self.line("a second server on the folder", self.second_server)
        self.line("bit flips in the newest snapshot", lambda: self.flips(
            "worlds/**/snap*.rpw", some(20, 3), 2))
        self.line("bit flips in the base", lambda: self.flips("worlds/**/base*.rpw", some(20, 3), 1))
        self.line("bit flips in the database", lambda: self.flips("repath.db", some(60, 5), 1))
        self.line("a full disk that gets space again", self.full_disk)
        copies.add_lines(self, Server, may_trace)
        kills, agents, events = some((20, 500, 4000), (3, 100, 800))
        for name, map_name in VERIFIED.items():
            self.line(f"{kills} times SIGKILL under verify, {name}",
                      lambda: self.verified(map_name, agents, events, kills))
        return self.end()


def main():
    arguments = sys.argv[1:]
    is_short = "--short" in arguments
    rest = [a for a in arguments if a != "--short"]
    bin_dir = os.path.abspath(rest[0] if rest else f"{TOP}/build/dev/bin")
    return Faults(bin_dir, is_short).run()


if __name__ == "__main__":
    sys.exit(main())
