#!/usr/bin/env python3
"""Commands that follow a stream print each thing as it comes, with --json an object a line, until the server ends.

Usage: tests/rpc/cli/watch_test.py BIN_DIR   (repathd and repath must be there)
"""
import json
import os
import subprocess
import sys
import tempfile

from server import Server

SQUARE = "....\n.##.\n....\n"


class Watch:
    def __init__(self, server, *arguments):
        self.process = subprocess.Popen(server.command(*arguments), stdout=subprocess.PIPE, text=True)

    def next(self):
        return json.loads(self.process.stdout.readline())

    def rest(self):
        return [json.loads(line) for line in self.process.stdout]


def check(fact, what):
    if not fact:
        raise SystemExit(f"FAILED: {what}")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        server = Server(os.path.realpath(sys.argv[1]), work)
        try:
            run(server, work)
        finally:
            server.kill()
    return 0


def run(server, work):
    square = os.path.join(work, "square.txt")
    with open(square, "w") as file:
        file.write(SQUARE)
    check(server.call("world", "import", "square", square).returncode == 0, "the world is made")
    server.call("agent", "add", "square", "7", "--from", "0,0", "--to", "3,2")
    world = Watch(server, "world", "watch", "square", "--from-revision", "2", "--json")
    agent = Watch(server, "agent", "watch", "square", "--json")
    top = Watch(server, "top", "square", "--json")
    event = agent.next()
    check(event["type"] == "NEW_PATH" and event["agent"] == 7, f"the latest verdict comes first: {event}")
    check("settled_revision" in event and "durable_revision" in event, f"an event says what its batch says: {event}")
    check(top.next()["agents"] == 1, "top prints at once")

    # Each change is read before the next one is made: nothing waits for the end.
    for revision in (2, 3):
        done = server.call("world", "apply", "square", "--id", "1", "--block", f"{revision},0,{revision + 1},1")
        check(done.returncode == 0, done.stderr)
        check(world.next()["revision"] == revision, "a change is printed as it comes")
    counted = server.call("world", "watch", "square", "--from-revision", "2", "--count", "1", "--json")
    check([json.loads(line)["revision"] for line in counted.stdout.splitlines()] == [2], "--count is kept")
    check(counted.returncode == 0, "--count ends a watch well")
    timed = server.call("world", "watch", "square", "--for", "0.2", "--json")
    check(timed.returncode == 0 and timed.stdout == "", "--for ends a watch well, without a line for nothing")

    server.kill()
    for name, watch in (("world watch", world), ("agent watch", agent), ("top", top)):
        rows = watch.rest()
        status = watch.process.wait()
        check(status == 3, f"{name} ends with 3 when the server ends, not with {status}")
        check(rows and rows[-1].get("error", {}).get("code") == "UNAVAILABLE", f"the error of {name} is the last line: {rows[-1:]}")
        check(all("error" not in row for row in rows[:-1]), f"{name} has one error")
    print("watches: passed")


if __name__ == "__main__":
    sys.exit(main())
