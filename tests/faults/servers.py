"""Servers that are tortured, and a client that knows what they acknowledged."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SIDE = 40  # cells of the world's sides
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NO_TRACE = "skipped: strace is missing, or may not trace here"
SYNCS = "fdatasync,fsync"
RENAMES = "rename,renameat,renameat2"


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


class Folder:
    """A data folder that goes at the end of the block; a copy of another one if it is given."""

    def __init__(self, source=None):
        self.path = tempfile.mkdtemp(prefix="repath_data_")
        if source:
            shutil.copytree(source, self.path, dirs_exist_ok=True)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Server:
    """A repathd. `inject` is (system calls, what strace does to them[, paths to which they must belong]); `wrap` is a
    command that runs it as its child; `env` is added to its environment."""

    def __init__(self, bin_dir, data, inject=None, more=(), wrap=(), env=None):
        self.bin, self.data, self.more, self.env = bin_dir, data, more, env
        self.wrap = list(wrap)
        self.patience_s = 20  # with a call
        if inject:
            paths = [word for path in inject[2:] for word in ("-P", path)]
            self.wrap += ["strace", "-f", "-qqq", "-o", "/dev/null", *paths, "-e", f"trace={inject[0]}",
                          "-e", f"inject={inject[0]}:{inject[1]}"]
        self.folder = tempfile.mkdtemp(prefix="repath_faults_")
        self.address = f"unix:{self.folder}/s"
        self.log_path = f"{self.folder}/log"
        self.start()

    def start(self):
        command = [f"{self.bin}/repathd", "--listen", self.address, "--admin", "127.0.0.1:0",
                   "--data", self.data, "--world-threads", "2", "--query-threads", "2", *self.more]
        self.http = None
        self.log = open(self.log_path, "w")
        environment = {**os.environ, **self.env} if self.env else None
        self.process = subprocess.Popen(self.wrap + command, stderr=self.log, stdout=self.log, env=environment)
        self.began = time.monotonic()

    def text(self):
        with open(self.log_path) as log:
            return log.read()

    def wait_ready(self, seconds=60):
        while time.monotonic() < self.began + seconds:
            if "ready admin=" in self.text():
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.01)
        return False

    # ---- calls ----

    def ask(self, method, path, body=None):
        """Returns (status of HTTP, text); (0, why) if the server is gone or silent."""
        try:
            if self.http is None:
                address = self.text().split("ready admin=")[1].split()[0]
                self.http = http.client.HTTPConnection(address, timeout=self.patience_s)
                self.http.connect()
                self.http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.http.request(method, path, body, {"Content-Type": "application/json"})
            answer = self.http.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, IndexError, http.client.HTTPException) as error:
            self.http = None
            return 0, repr(error)

    def post(self, method, **request):
        """Calls a method of the API. Returns (whether it was answered with OK, parsed answer)."""
        status, text = self.ask("POST", "/repath.v1." + method, json.dumps(request))
        return status == 200, json.loads(text) if text.startswith("{") else text

    def is_ready(self):
        return self.ask("GET", "/readyz")[0] == 200

    def failed_commits(self):
        text = self.ask("GET", "/metrics")[1]
        return sum(float(line.split()[1]) for line in text.splitlines()
                   if line.startswith("repath_store_failed_commits_total"))

    def world(self, name="w"):
        """Returns (revision, state hash), or None and the answer."""
        is_ok, answer = self.post("WorldService/GetWorld", world=name)
        return (int(answer["revision"]), answer["stateHash"]) if is_ok else (None, answer)

    def call(self, *arguments):
        """Runs `repath`. Returns (exit status, parsed JSON or the error's text)."""
        done = subprocess.run([f"{self.bin}/repath", "--server", self.address, *arguments, "--json"],
                              capture_output=True, text=True, timeout=60, check=False)
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            return done.returncode, done.stdout + done.stderr

    # ---- its end ----

    def is_running(self):
        return self.process.poll() is None

    def send(self, number):
        """What wraps the server passes on no signals, so its child gets them."""
        pid = self.process.pid
        for _ in range(2 if self.wrap else 0):
            with open(f"/proc/{pid}/comm") as name:
                if name.read().startswith("repathd"):
                    break
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
        self.refusal = None  # of the last call that was refused

    @staticmethod
    def request(number):
        x, z = number % SIDE + 0.5, number // SIDE % SIDE + 0.5
        box = {"center": {"x": x, "z": z}, "halfX": 0.4, "halfZ": 0.4}
        return {"world": "w", "requestId": f"r{number}",
                "batch": {"upsertObstacles": [{"id": number + 1, "box": box, "blocked": True}]}}

    def make(self, server, **options):
        is_ok, self.refusal = server.post("WorldService/CreateWorld", name="w", width=SIDE, height=SIDE, options=options)
        self.made = self.made or is_ok
        return is_ok

    def change(self, server, **more):
        """Returns whether the change was acknowledged; `more` are fields of its request."""
        number = len(self.answers)
        self.in_flight = number
        is_ok, answer = server.post("WorldService/ApplyChanges", **self.request(number), **more)
        if not is_ok:
            self.refusal = answer
            return False
        self.answers.append((int(answer["revision"]), answer["stateHash"]))
        self.in_flight = None
        return True

    def repeat(self, server, number):
        """Returns the revision that a request has once it is sent again."""
        is_ok, answer = server.post("WorldService/ApplyChanges", **self.request(number))
        return int(answer["revision"]) if is_ok else None
