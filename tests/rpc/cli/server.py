"""A server of its own for a test of the command line."""
import os
import subprocess
import time


class Server:
    def __init__(self, bin_dir, work):
        self.repath = os.path.join(bin_dir, "repath")
        self.address = f"unix:{work}/socket"
        with open(os.path.join(work, "log"), "w") as log:
            self.process = subprocess.Popen(
                [os.path.join(bin_dir, "repathd"), "--listen", self.address, "--admin", "127.0.0.1:0"],
                stdout=log, stderr=subprocess.STDOUT)
        for _ in range(600):
            if self.call("world", "list").returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def command(self, *arguments):
        return [self.repath, "--server", self.address, *arguments]

    def call(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=120)

    def kill(self):
        self.process.kill()
        self.process.wait()
