"""Lines of tests/faults.sh about `repath verify`, which goes on while its server is killed again and again."""
import json
import os
import subprocess
import time

from servers import TOP, Folder, Server, ended_within

BAD_FIGURES = ("wrong", "missed_improvements", "invalid_paths", "unsettled")  # of `repath verify`
MAPS = {"grid": f"{TOP}/tests/data/maps/rooms_128.map", "mesh": f"{TOP}/deploy/maps/house.json",
        "graph": f"{TOP}/deploy/maps/streets.json"}
LIFE_S = 1.5  # of a server


class Verified:
    """Kills the server in the middle of `repath verify`, which goes on after each start. Runs it again, with other
    seeds, until all kills were in the middle of a run."""

    def __init__(self, faults, map_name, agents, events, kills):
        self.faults, self.map_name, self.kills = faults, map_name, kills
        self.agents, self.events = agents, events
        self.ready, self.restarts, self.verdicts, self.settled = [], 0, 0, 0.0
        self.bad = dict.fromkeys(BAD_FIGURES, 0)

    def run(self):
        with Folder() as data:
            server = Server(self.faults.bin, data)
            try:
                assert server.wait_ready(), server.text()
                seed = 0
                while self.restarts < self.kills:
                    seed += 1
                    why = self.run_once(server, seed)
                    if why:
                        self.faults.wrong += 1
                        return f"seed {seed}: {why}"
                    if len(self.ready) >= self.kills * 2 and self.restarts < self.kills:
                        raise RuntimeError(f"the checker saw {self.restarts} of {len(self.ready)} kills")
            finally:
                server.clean()
        figures = ", ".join(f"{name} {count}" for name, count in self.bad.items())
        return (f"{len(self.ready)} kills, {self.restarts} seen by the checker; {self.verdicts} verdicts, {figures}; "
                f"ready at most {max(self.ready):.2f} s after the start, all settled at most {self.settled:.2f} s "
                "after the kill")

    def run_once(self, server, seed):
        """Returns what was wrong, or nothing."""
        checker = subprocess.Popen(
            [f"{server.bin}/repath", "--server", server.address, "verify", "--map", self.map_name,
             "--agents", str(self.agents), "--events", str(self.events), "--seed", str(seed),
             "--restart-s", "30", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            while len(self.ready) < self.kills * 2 and not ended_within(checker, LIFE_S):
                server.end()
                os.remove(f"{server.folder}/s")
                server.start()
                assert server.wait_ready(), server.text()
                self.ready.append(time.monotonic() - server.began)
            output, errors = checker.communicate(timeout=900)
        finally:
            if checker.poll() is None:
                checker.kill()
        figures = json.loads(output)
        if "error" in figures:
            return f"{figures} {errors[-300:]}"
        for name in BAD_FIGURES:
            self.bad[name] += figures[name]
        if checker.returncode != 0 or any(self.bad.values()):
            return f"{self.bad} {errors[-400:]}"
        self.restarts += figures["restarts"]
        self.verdicts += figures["verdicts"]
        self.settled = max(self.settled, figures["resettled_seconds"])
        return None


def add_lines(faults):
    kills, agents, events = faults.some((20, 500, 4000), (3, 100, 800))
    for name, map_name in MAPS.items():
        faults.line(f"{kills} times SIGKILL under verify, {name}",
                    Verified(faults, map_name, agents, events, kills).run)
