#!/usr/bin/env python3
"""The README's tour ("Five minutes"), run as it stands against a fresh server: what its comments promise must appear.

Usage: tests/rpc/cli/readme_tour_test.py BIN_DIR   (repathd and repath must be there)

A promise is a word in capitals (INVALIDATED), a length or "1 agent invalidated" in a comment. It must be in what its line prints, or, while
`repath agent watch` runs in the background, among the verdicts that the watch prints, in the order of the tour.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))
# The lines with which a reader sets up the tour; this test sets it up in its own way.
SET_UP = ["export PATH=$PWD/build/release/bin:$PATH", "export REPATH_SERVER=127.0.0.1:7700"]
# The tour must promise at least these; otherwise this test misreads it.
LEAST = {"INVALIDATED", "UNREACHABLE", "NEW_PATH", "REPLANNED", "length 4", "1 agent invalidated"}


class Line:
    def __init__(self, text, number, work):
        self.text, _, comment = (part.strip() for part in text.partition("  #"))
        self.in_background = self.text.endswith("&")
        self.out = os.path.join(work, f"out-{number}")
        self.promises = re.findall(r"\b[A-Z][A-Z_]{4,}\b|\blength [\d.]+\b|\b\d+ agents? invalidated\b", comment)

    def script(self):
        if self.text.startswith(("export ", "sleep ", "wait")):
            return f"{self.text}\n"
        if self.in_background:
            return f"{self.text[:-1]} >{self.out} 2>&1 &\n"
        return f"{{ {self.text}\n}} >{self.out} 2>&1 || {{ cat {self.out}; echo 'this failed: {self.text}'; exit 1; }}\n"

    def printed(self):
        if not os.path.exists(self.out):
            return ""
        with open(self.out) as file:
            return file.read()


def tour_lines(work):
    with open(os.path.join(TOP, "README.md")) as file:
        section = re.search(r"^## Five minutes\n(.*?)^## ", file.read(), re.MULTILINE | re.DOTALL).group(1)
    code = [line.strip() for line in section.splitlines() if line.startswith("    ")]
    code = [line for line in code if line and not line.startswith("#")]
    if code[:2] != SET_UP:
        raise SystemExit(f"FAILED: the tour begins with {code[:2]}, not with {SET_UP}")
    return [Line(line.replace("/tmp/", work + "/"), number, work) for number, line in enumerate(code[2:])]


def is_kept(promise, text):
    if promise.startswith("length "):
        return re.search(rf"(?<![\d.]){float(promise[7:]):.2f}\b", text) is not None
    return re.search(rf"\b{promise}\b", text) is not None


def broken_promises(lines):
    """What the lines that were run promise, but neither they nor the watch of that time printed."""
    broken, watch, verdicts = [], None, []
    for line in lines:
        if line.in_background:
            watch = line
            verdicts = re.findall(r"  agent \d+  ([A-Z_]+)", line.printed())
        if line.text == "wait":
            watch = None
        for promise in line.promises:
            if watch is not None and promise in verdicts:
                del verdicts[:verdicts.index(promise) + 1]
            elif not is_kept(promise, line.printed()):
                broken.append(f"FAILED: {promise} does not appear after: {line.text}\nit printed:\n{line.printed()}" +
                              (f"the watch printed:\n{watch.printed()}" if watch is not None else ""))
    return broken


def run_tour(bin_dir, work):
    address = f"unix:{work}/socket"
    lines = tour_lines(work)
    promised = {promise for line in lines for promise in line.promises}
    if not LEAST <= promised:
        return [f"FAILED: the tour does not promise {sorted(LEAST - promised)}"]
    with open(os.path.join(work, "log"), "w") as log:
        server = subprocess.Popen([os.path.join(bin_dir, "repathd"), "--listen", address, "--admin", "127.0.0.1:0"],
                                  stdout=log, stderr=subprocess.STDOUT)
    environment = {**os.environ, "PATH": f"{bin_dir}:{os.environ['PATH']}", "REPATH_SERVER": address}
    try:
        for _ in range(100):
            if subprocess.run(["repath", "world", "list"], env=environment, capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        script = "".join(line.script() for line in lines)
        done = subprocess.run(["bash", "-u", "-c", script], cwd=TOP, env=environment, capture_output=True, text=True,
                              timeout=120)
        failed = [f"FAILED: the tour ended with status {done.returncode}:\n{done.stdout}{done.stderr}"] if done.returncode else []
        if server.poll() is not None:
            failed.append(f"FAILED: the server ended with status {server.returncode}")
        return failed + broken_promises(lines)
    finally:
        if server.poll() is None:
            server.terminate()
            server.wait(30)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        failed = run_tour(os.path.realpath(sys.argv[1]), work)
    print("\n".join(failed) or "the tour keeps its promises")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
