"""Lines of tests/faults.sh about power cuts: the server's folder lies on an ext4 of its own, in a file on a loop device.
The shutdown call of ext4 drops at once all that is not on that disk, the journal included. The file system is mounted
again, and a server starts on what is left."""
import fcntl
import os
import random
import signal
import struct
import subprocess
import threading
import time

from disks import may_mount, mount
from servers import NO_TRACE, SYNCS, Client, Folder, Server, may_trace

SHUTDOWN = 0x8004587d  # EXT4_IOC_SHUTDOWN
NO_LOG_FLUSH = 2  # its flag for the hardest cut
IMAGE_BYTES = 192 << 20
MOST_CHANGES = 400


class Ext4:
    """A file system with nothing on it."""

    def __init__(self, folder):
        self.image, self.root = f"{folder}/image", f"{folder}/root"
        os.mkdir(self.root)
        with open(self.image, "wb") as file:
            file.truncate(IMAGE_BYTES)
        subprocess.run(["mkfs.ext4", "-q", "-F", self.image], check=True, capture_output=True)

    def attach(self):
        """Returns why it cannot be mounted, or nothing."""
        return mount("-o", "loop", self.image, self.root)

    def cut(self):
        """Raises OSError if this kernel or file system does not know the call."""
        root = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.ioctl(root, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(root)

    def detach(self):
        subprocess.run(["umount", self.root], capture_output=True, check=False)


class Power:
    def __init__(self, faults):
        self.faults = faults

    def why_not(self):
        """Returns why this machine cannot do it, or nothing."""
        if not may_mount():
            return "no right to mount a file system"
        try:
            with Folder() as folder:
                disk = Ext4(folder)
                why = disk.attach()
                if why:
                    return "no loop device: " + why
                try:
                    disk.cut()
                finally:
                    disk.detach()
        except (OSError, subprocess.CalledProcessError) as error:
            return f"no ext4, or its shutdown call is missing: {error!r}"
        return None

    def play(self, disk, data, client, after, drains, inject=None):
        """Makes changes until the power is cut, `after` seconds from now. With `drains` the server is told to end a
        moment before, and writes its snapshots. Returns how many were acknowledged before the cut. An answer that
        comes after it has begun counts for nothing: a sync that is under way then may end well and be lost."""
        server = Server(self.faults.bin, data, inject)
        server.patience_s = 2  # it may try for ever to write what was under way at the cut
        try:
            assert server.wait_ready(), server.text()
            if not client.made:
                assert client.make(server)
            before = len(client.answers)
            has_begun = threading.Event()

            def cut():
                time.sleep(after)
                if drains:
                    server.send(signal.SIGTERM)
                    time.sleep(after / 10)
                has_begun.set()
                disk.cut()
            cutter = threading.Thread(target=cut)
            cutter.start()
            while len(client.answers) < MOST_CHANGES and client.change(server):
                if has_begun.is_set():
                    client.answers.pop()
                    client.in_flight = len(client.answers)
                    break
            cutter.join()
            for _ in range(3):
                self.faults.wrong += 1 if server.post("WorldService/CreateWorld", name="x", width=9, height=9)[0] else 0
            server.end()
            return len(client.answers) - before
        finally:
            server.clean()

    def cuts(self, count):
        """Cuts the power again and again; the world goes on each time."""
        why = self.why_not()
        if why:
            return "skipped: " + why
        rng = random.Random(1)
        acknowledged = 0
        slowest = 0.0
        with Folder() as folder:
            disk = Ext4(folder)
            data = f"{disk.root}/data"
            client = Client()
            try:
                for number in range(count):
                    if number % 8 == 0 and number > 0 or len(client.answers) > MOST_CHANGES * 3 // 4:
                        client = Client()
                        data = f"{disk.root}/data{number}"
                    assert not disk.attach()
                    acknowledged += self.play(disk, data, client, rng.uniform(0.02, 0.5), number % 3 == 2)
                    disk.detach()
                    assert not disk.attach()
                    slowest = max(slowest, self.faults.check(data, client))
                    self.take_over(data, client)
                    disk.detach()
            finally:
                disk.detach()
        assert acknowledged > 0, "nothing was acknowledged"
        return f"{count} cuts, {acknowledged} changes acknowledged, all there; ready at most {slowest:.2f} s after"

    def take_over(self, data, client):
        """Learns what became of the change that was under way: check() has sent it again if it was there."""
        if client.in_flight is None:
            return
        server = Server(self.faults.bin, data)
        try:
            assert server.wait_ready(), server.text()
            if client.made and server.world()[0] == client.in_flight + 2:
                client.answers.append((client.in_flight + 2, server.world()[1]))
            server.end(signal.SIGTERM)
        finally:
            server.clean()

    def planted(self):
        """The same with a server whose syncs do nothing: what it acknowledged must be seen to be lost."""
        why = self.why_not()
        if why:
            return "skipped: " + why
        if not may_trace():
            return NO_TRACE
        with Folder() as folder:
            disk = Ext4(folder)
            data = f"{disk.root}/data"
            assert not disk.attach()
            client = self.faults.fill(data, 5)
            subprocess.run(["sync", "-f", disk.root], check=True)
            before = self.faults.counts()
            try:
                acknowledged = self.play(disk, data, client, 0.5, False, (SYNCS, "retval=0"))
                disk.detach()
                assert not disk.attach()
                self.faults.check(data, client, repeats=False)
                lost = self.faults.lost - before[0]
            finally:
                disk.detach()
                self.faults.lost, self.faults.doubled, self.faults.wrong = before
        assert lost > 0, "a server that does not wait for the disk lost nothing: this cut proves nothing"
        return f"seen: {lost} of {acknowledged} changes that it acknowledged are lost, the 5 before are there"


def add_lines(faults):
    power = Power(faults)
    faults.line("power cuts on ext4", lambda: power.cuts(faults.some(60, 6)))
    faults.line("power cut without waiting for the disk (planted)", power.planted)
