#!/usr/bin/env python3
"""Every command and every option of `repath` on every kind of world.

Usage: tests/rpc/cli/every_command_test.py BIN_DIR   (repathd and repath must be there)

The commands and options are found by walking `repath --help`. A command or an option that command_table.py does not list
fails the test, and so does one that it lists and that is not there. Each command runs with and without --json. It must end
with 0 (1 where the table allows it) or refuse clearly with 2 or 3, never by a signal, and with --json print exactly one
object on one line; if it follows a stream, an object on each line. Where the table says that an option does not count, the command must refuse it: nothing is ignored.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from command_table import COMMANDS, KINDS, Maps, Run

SECONDS_EACH = 60
AT_A_TIME = 4


class Tester:
    def __init__(self, bin_dir, work):
        self.repath = os.path.join(bin_dir, "repath")
        self.maps = Maps(work)
        self.address = f"unix:{work}/socket"
        self.failures = []
        self.runs = 0
        with open(os.path.join(work, "log"), "w") as log:
            self.server = subprocess.Popen(
                [os.path.join(bin_dir, "repathd"), "--listen", self.address, "--admin", "127.0.0.1:0"],
                stdout=log, stderr=subprocess.STDOUT)
        for _ in range(100):
            if self.call(["world", "list"]).returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def call(self, arguments):
        command = [self.repath, "--server", self.address, *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_EACH)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", f"no end after {SECONDS_EACH} s")

    def fail(self, what, arguments=(), done=None):
        text = f"FAILED: {what}"
        if done is not None:
            text += f"\n  repath {' '.join(arguments)}  (status {done.returncode})"
            text += f"\n  stdout: {done.stdout[:400]!r}\n  stderr: {done.stderr[:400]!r}"
        self.failures.append(text)

    # ---- what there is ----

    def help_of(self, command):
        done = self.call([*command, "--help"])
        if done.returncode != 0:
            self.fail("--help fails", [*command, "--help"], done)
        return done.stdout

    def leaves(self, command=()):
        """The commands without commands of their own, as {command: set of options}."""
        text = self.help_of(command)
        part = text.split("\nSubcommands:\n")
        if len(part) == 1:
            options = set(re.findall(r"^ {2}(?:-\w,)?(--[\w-]+)", text, re.MULTILINE))
            return {tuple(command): options - {"--help", "--json"}}
        found = {}
        for name in re.findall(r"^ {2}([\w-]+)", part[1], re.MULTILINE):
            found |= self.leaves((*command, name))
        return found

    # ---- one run ----

    def check_json(self, arguments, done, follows):
        try:
            rows = [json.loads(line) for line in done.stdout.splitlines()]
        except json.JSONDecodeError:
            rows = [None]
        if not all(isinstance(row, dict) for row in rows) or not (follows or len(rows) == 1):
            return self.fail("--json printed no object on one line", arguments, done)
        error = rows[-1].get("error") if rows else None
        is_error = isinstance(error, dict) and bool(error.get("message"))
        if is_error != (done.returncode in (2, 3)):
            self.fail("--json has an error object although it succeeded, or none although it failed", arguments, done)

    def check(self, arguments, statuses, expected, with_json, follows):
        self.runs += 1
        arguments = [*arguments, "--json"] if with_json else list(arguments)
        done = self.call(arguments)
        if done.returncode not in statuses:
            return self.fail(f"wanted status {sorted(statuses)}", arguments, done)
        if done.returncode == 2 and not re.search(r"^repath: \S.{8}", done.stderr, re.MULTILINE):
            self.fail("wrong usage without a clear message", arguments, done)
        if done.returncode == 3 and not re.search(r"^repath: [A-Z_]{4,}( in [\w.\[\]]+)?: \S", done.stderr, re.MULTILINE):
            self.fail("a refusal without reason and message", arguments, done)
        if with_json:
            self.check_json(arguments, done, follows)
        elif done.returncode in (0, 1) and not re.search(expected, done.stdout, re.MULTILINE):
            self.fail(f"no {expected!r} in what it printed", arguments, done)

    def make_world(self, world, kind):
        self.call(["world", "delete", world])
        for arguments in self.maps.world_of(world, kind):
            done = self.call(arguments)
            if done.returncode != 0:
                self.fail("the world cannot be made", arguments, done)

    # ---- one command on one kind ----

    def try_command(self, command, kind, options):
        entry = COMMANDS[command]
        world = "-".join([*command, kind])
        places = self.maps.places(world, kind)
        base = entry.base(places)
        tries = [(Run(base, entry.statuses_on(kind)), entry.expected_on(places), with_json) for with_json in (False, True)]
        for number, name in enumerate(sorted(options & set(entry.options))):
            option = entry.options[name]
            if name not in base and kind in option.tried_on:
                tries.append((option.run(name, base, places), "", number % 2 == 1 and not option.text_only))
        if entry.world == "once":
            self.make_world(world, kind)
        for run, expected, with_json in tries:
            if entry.world == "each":
                self.make_world(world, kind)
            elif entry.world == "deleted":
                self.call(["world", "delete", world])
            self.check([*command, *run.arguments], run.statuses, expected, with_json, entry.follows)
        self.call(["world", "delete", world])

    def run_all(self):
        leaves = self.leaves()
        for command in sorted(set(leaves) - set(COMMANDS)):
            self.fail(f"`repath {' '.join(command)}` is not in command_table.py")
        for command in sorted(set(COMMANDS) - set(leaves)):
            self.fail(f"`repath {' '.join(command)}` is in command_table.py, but there is none")
        known = {command: options for command, options in leaves.items() if command in COMMANDS}
        for command, options in sorted(known.items()):
            entry = COMMANDS[command]
            for name in sorted(options - set(entry.options) - entry.base_options()):
                self.fail(f"`repath {' '.join(command)} {name}` is not in command_table.py")
            for name in sorted(set(entry.options) - options):
                self.fail(f"`repath {' '.join(command)} {name}` is in command_table.py, but there is none")
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            tries = [pool.submit(self.try_command, command, kind, options)
                     for command, options in known.items() for kind in KINDS if kind in COMMANDS[command].kinds]
        for each in tries:
            each.result()
        if self.server.poll() is not None:
            self.fail(f"the server ended with status {self.server.returncode}")

    def end(self):
        if self.server.poll() is None:
            self.server.terminate()
            self.server.wait(30)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        tester = Tester(os.path.realpath(sys.argv[1]), work)
        try:
            tester.run_all()
        finally:
            tester.end()
        if tester.failures:
            print("\n".join(tester.failures))
            with open(os.path.join(work, "log")) as log:
                print("The server's log ends:", *log.readlines()[-5:], sep="\n")
        print(f"{tester.runs} runs of {len(COMMANDS)} commands on {len(KINDS)} kinds of world, "
              f"{len(tester.failures)} failed")
        return 1 if tester.failures else 0


if __name__ == "__main__":
    sys.exit(main())
