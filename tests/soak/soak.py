"""Games that come and go on one server for an hour; see tests/soak.sh."""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{TOP}/tests/attacks")
from http2 import descriptors, resident_mb  # noqa: E402
from server import Neighbour, Server  # noqa: E402

MINUTE_S = 60
# Scenarios of `repath load`, each for a share of one core. Their lengths do not divide the minute.
GAMES = (
    ["tower-defence", "--side", "128", "--agents", "300", "--obstacles", "40", "--events", "10", "--queries", "20"],
    ["rts", "--side", "192", "--agents", "100", "--events", "5"],
    ["mmo", "--side", "96", "--worlds", "12", "--agents", "20", "--events", "2"],
    ["navmesh", "--side", "96", "--agents", "60", "--obstacles", "40", "--events", "5"],
    ["sessions", "--side", "64", "--sessions", "60", "--agents", "120"],
)
SIDE_BY_SIDE = 2


class Games:
    """Keeps a few game servers at work, each for some seconds, and kills one in three in the middle."""

    def __init__(self, bin_dir, server, seed):
        self.command = [f"{bin_dir}/repath", "--server", f"127.0.0.1:{server.port}"]
        self.random = random.Random(seed)
        self.running = []  # (process, when it is killed or None)
        self.played = self.killed = 0

    def begin_one(self):
        game = self.random.choice(GAMES)
        length = self.random.uniform(4, 17)
        process = subprocess.Popen(
            [*self.command, "load", *game, "--duration", f"{length:.1f}", "--warm-up", "1", "--drain", "5",
             "--seed", str(self.random.randrange(1 << 30)), "--json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        dies = time.monotonic() + self.random.uniform(1, length) if self.random.random() < 1 / 3 else None
        self.running.append((process, dies))
        self.played += 1

    def step(self, begins):
        for process, dies in self.running:
            if dies is not None and time.monotonic() >= dies and process.poll() is None:
                process.kill()
                self.killed += 1
        self.running = [game for game in self.running if game[0].poll() is None]
        while begins and len(self.running) < SIDE_BY_SIDE:
            self.begin_one()

    def end(self):
        """Waits until all have ended, then deletes the worlds that killed ones have left."""
        while self.running:
            self.step(begins=False)
            time.sleep(0.1)
        for world in self.worlds():
            # A killed game may have asked for the same just before.
            deleted = subprocess.run([*self.command, "world", "delete", world], check=False, capture_output=True)
            if deleted.returncode != 0 and world in self.worlds():
                raise RuntimeError(f"{world} is not deleted: {deleted.stderr.decode()}")

    def worlds(self):
        listed = subprocess.run([*self.command, "world", "list", "--json"], check=True, capture_output=True, text=True)
        return [world["name"] for world in json.loads(listed.stdout)["worlds"] if world["name"] != "neighbour"]


def play_minute(games, neighbour):
    ends = time.monotonic() + MINUTE_S
    neighbour.begin()
    while time.monotonic() < ends:
        games.step(begins=True)
        time.sleep(0.1)
    figures = neighbour.finish()
    games.end()
    time.sleep(2)  # streams of killed clients end
    return figures


def complaints(rows, failed, is_alive):
    """What is wrong, in words. The first sixth is for caches to fill."""
    found = []
    if not is_alive:
        found.append("the server has ended")
    if failed:
        found.append(f"{failed} calls of the other client failed")
    rest = rows[len(rows) // 6:]
    for key, share, more in (("rss_mb", 1.1, 8), ("descriptors", 1.0, 8), ("threads", 1.0, 4)):
        if rest and max(row[key] for row in rest) > share * rest[0][key] + more:
            found.append(f"{key} grew from {rest[0][key]} to {max(row[key] for row in rest)}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("bin_dir", nargs="?", default=f"{TOP}/build/dev/bin")
    options = parser.parse_args()
    rows, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="repath_soak_") as data:
        server = Server(options.bin_dir, "--data", data, memory_mb=1024)
        try:
            neighbour = Neighbour(server)
            games = Games(options.bin_dir, server, options.seed)
            print(f"quiet: p99 {neighbour.quiet[0]:.2f} ms", flush=True)
            for minute in range(1, options.minutes + 1):
                p99, longest, bad, calls = play_minute(games, neighbour)
                failed += bad
                if not server.is_alive():
                    break
                row = {"rss_mb": resident_mb(server.pid), "descriptors": descriptors(server.pid),
                       "threads": len(os.listdir(f"/proc/{server.pid}/task")), "p99_ms": round(p99, 2)}
                rows.append(row)
                print(f"minute {minute:3}  rss {row['rss_mb']:7.1f} MB  descriptors {row['descriptors']:3}  "
                      f"threads {row['threads']:3}  p99 {p99:6.2f} ms  longest {longest:6.1f} ms  calls {calls}  "
                      f"games {games.played}, killed {games.killed}", flush=True)
            wrong = complaints(rows, failed, server.is_alive())
            drained_s, status = server.terminate(15) if server.is_alive() else (0, None)
            if status != 0:
                wrong.append(f"SIGTERM: status {status} after {drained_s:.1f} s")
        finally:
            server.end()
    sixth = max(1, len(rows) // 6)
    last_to_first = (statistics.median(row["p99_ms"] for row in rows[-sixth:]) /
                     statistics.median(row["p99_ms"] for row in rows[:sixth])) if rows else None
    print(json.dumps({"minutes": len(rows), "rows": rows, "p99_last_to_first_sixth": last_to_first, "wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
