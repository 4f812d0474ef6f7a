"""A server under attack, and another client that measures whether it is still served."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from http2 import Connection, field, resident_mb  # noqa: E402

MEMORY_MB = 256
OTHER = "127.0.0.2"  # address of the clients that do no harm
OWN_MB = 256  # what the process may use beside its worlds
RECT = [field(1, 0), field(2, 0), field(3, 0), field(4, 0)]


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = re.sub(r".*\) ", "", stat.read()).split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cell(x, y):
    """A Location."""
    return [field(2, [field(1, x), field(2, y)])]


def create(name, side, *more):
    return b"".join([field(1, name), field(2, side), field(3, side), *more])


def find_path(world, start, goal, *more):
    return b"".join([field(1, world), field(2, cell(*start)), field(3, cell(*goal)), *more])


class Group:
    """A control group with a limit of memory, in which the kernel kills a process beyond it; none where that is not
    allowed."""

    def __init__(self, limit_mb):
        self.path = None
        for folder, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            path = f"{folder}/repath_attacks_{os.getpid()}"
            try:
                os.mkdir(path)
                self.path = path
                with open(f"{path}/{limit}", "w", encoding="ascii") as file:
                    file.write(str(limit_mb << 20))
                return
            except OSError:
                self.remove()

    def enter(self):
        if self.path:
            with open(f"{self.path}/cgroup.procs", "w", encoding="ascii") as file:
                file.write(str(os.getpid()))

    def remove(self):
        for _ in range(100):
            try:
                if self.path:
                    os.rmdir(self.path)
                break
            except OSError:
                time.sleep(0.05)
        self.path = None


class Server:
    """A repathd on a port of loopback. `files`: its limit of descriptors."""

    def __init__(self, bin_dir, *flags, files=None, memory_mb=MEMORY_MB):
        self.folder = tempfile.mkdtemp(prefix="repath_attacks_")
        self.log_path = f"{self.folder}/log"
        self.memory_mb = memory_mb
        command = [f"{bin_dir}/repathd", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
                   "--memory-total-mb", str(memory_mb), *flags]
        self.group = Group(self.limit_mb())

        def enter():
            self.group.enter()
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stderr=log, stdout=log, preexec_fn=enter)
        self.pid = self.process.pid
        end = time.monotonic() + 20
        while "ready admin=" not in self.log() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        self.port = int(self.logged("listen=127.0.0.1:"))
        self.admin = int(self.logged("admin=127.0.0.1:"))

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def logged(self, key):
        return self.log().split(key, 1)[1].split()[0]

    def is_alive(self):
        return self.process.poll() is None

    def peak_mb(self):
        return resident_mb(self.pid, "VmHWM")

    def limit_mb(self):
        return self.memory_mb + OWN_MB

    def call(self, method, request, seconds=20, source="127.0.0.1"):
        """One call on a connection of its own; returns its status, or None without an answer."""
        connection = Connection(self.port, source=source)
        try:
            stream = connection.call(method, request)
            return connection.status(stream) if connection.wait(stream, seconds) else None
        finally:
            connection.close()

    def page(self, path, seconds=5, host="127.0.0.1"):
        """Returns (status, text) of a page of the admin port; status 0: no answer."""
        import http.client
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=seconds)
            connection.request("GET", path, headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError:
            return 0, ""

    def post(self, method, text, seconds=5, source="127.0.0.1"):
        """One call by HTTP, with JSON; returns its HTTP status; 0: no answer."""
        import http.client
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=seconds, source_address=(source, 0))
            connection.request("POST", f"/repath.v1.{method}", text, {"Content-Type": "application/json"})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0

    def metric(self, name):
        for line in self.page("/metrics")[1].splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        return 0.0

    def terminate(self, seconds):
        """Sends SIGTERM; returns (seconds until the end, exit status), None as status if it took longer."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        return time.monotonic() - began, status

    def end(self):
        if self.is_alive():
            self.process.kill()
        self.process.wait()
        self.group.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


class Neighbour:
    """Another client with a world of its own, in a process of its own. It asks for a path 50 times a second."""

    def __init__(self, server):
        self.server = server
        assert server.call("WorldService/CreateWorld", create("neighbour", 64)) == 0
        self.quiet = self.measure(1.5)

    def measure(self, seconds):
        self.begin()
        time.sleep(seconds)
        return self.finish()

    def begin(self):
        self.pipe = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(self.pipe[0])
            signal.signal(signal.SIGTERM, lambda *_: self.report())
            self.took, self.failed = [], 0
            try:
                self.ask()
            finally:
                os._exit(1)
        os.close(self.pipe[1])

    def next_call(self, _):
        return "PathService/FindPath", find_path("neighbour", (0, 0), (63, 63))

    def ask(self):
        connection = Connection(self.server.port, source=OTHER)
        while True:
            began = time.monotonic()
            stream = connection.call(*self.next_call(len(self.took)))
            good = connection.wait(stream, 60) and connection.status(stream) == 0
            self.took.append(time.monotonic() - began)
            self.failed += 0 if good else 1
            time.sleep(0.02)

    def report(self):
        took = sorted(self.took) or [0]
        p99 = took[min(len(took) - 1, len(took) * 99 // 100)]
        os.write(self.pipe[1], f"{p99} {took[-1]} {self.failed} {len(self.took)}".encode())
        os._exit(0)

    def finish(self):
        """Returns (p99 in ms, longest in ms, failed calls, calls)."""
        os.kill(self.child, signal.SIGTERM)
        with os.fdopen(self.pipe[0]) as result:
            text = result.read()
        os.waitpid(self.child, 0)
        p99, longest, failed, calls = text.split()
        return float(p99) * 1000, float(longest) * 1000, int(failed), int(calls)


class Editor(Neighbour):
    """The same, but it changes its world."""

    def next_call(self, count):
        box = [field(1, 5), field(2, 5), field(3, 6 + count % 3), field(4, 6)]
        batch = [field(1, [field(1, 1), field(2, box), field(6, 1)])]
        return "WorldService/ApplyChanges", field(1, "neighbour") + field(2, batch)
