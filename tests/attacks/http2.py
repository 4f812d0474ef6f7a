"""Frames of HTTP/2 (RFC 9113) and messages of gRPC and Protobuf, as far as hostile clients need them.

A well-behaved library refuses to send most of what the attacks send. Headers are literals without
Huffman code and without the table (RFC 7541, 6.2.2), which every server understands.
"""
import os
import socket
import struct
import threading
import time

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
TABLE_SIZE, INITIAL_WINDOW = 1, 4  # of SETTINGS
WINDOW_MAX = 2**31 - 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def integer(number, bits, first=0):
    """An integer of HPACK with a prefix of so many bits."""
    most = (1 << bits) - 1
    if number < most:
        return bytes([first | number])
    out = [first | most]
    number -= most
    while number >= 128:
        out.append(number % 128 | 128)
        number //= 128
    return bytes(out + [number])


def headers(pairs):
    out = b""
    for name, value in pairs:
        out += b"\0" + integer(len(name), 7) + name.encode() + integer(len(value), 7) + value.encode()
    return out


def varint(number):
    out = b""
    while number >= 128:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a Protobuf message: a number, a text, bytes or (as a list) a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    data = b"".join(value) if isinstance(value, list) else value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(data, compressed=False, length=None):
    """A message of gRPC; `length` may be a lie."""
    return struct.pack(">BI", compressed, len(data) if length is None else length) + data


class Connection:
    """One connection. A thread reads what comes: it answers PING and SETTINGS, counts the rest, and keeps the
    windows open unless `reads` is False. `source`: the address of loopback that the server sees."""

    def __init__(self, port, reads=True, window=None, keep=False, source="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reads, self.keep = reads, keep
        self.lock = threading.Lock()
        self.next = 1
        self.ended = {}  # stream -> text of its last HEADERS or the code of its RST_STREAM
        self.data = {}  # stream -> bytes, with `keep`
        self.bytes = 0
        self.windows = {0: 65535}  # what the server lets this side send, by stream
        self.first_window = 65535
        self.granted = threading.Condition()
        self.closed = False
        settings = struct.pack(">HI", TABLE_SIZE, 0)  # so that every header comes as a literal
        if window is not None:
            settings += struct.pack(">HI", INITIAL_WINDOW, window)
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings))
        if reads and window is None:
            self.send(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", WINDOW_MAX - 65535)))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def send(self, data):
        with self.lock:
            self.socket.sendall(data)

    def receive(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise OSError("closed")
            data += part
        return data

    def read(self):
        try:
            while True:
                head = self.receive(9)
                size = int.from_bytes(head[:3], "big")
                kind, flags, stream = struct.unpack(">BBI", head[3:])
                self.take(kind, flags, stream, self.receive(size))
        except OSError:
            self.closed = True
            with self.granted:
                self.granted.notify_all()

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                name, value = struct.unpack(">HI", payload[at:at + 6])
                if name == INITIAL_WINDOW:
                    self.grant(None, value - self.first_window)
                    self.first_window = value
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == WINDOW_UPDATE:
            self.grant(stream, struct.unpack(">I", payload)[0])
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == HEADERS and flags & END_STREAM:
            self.ended[stream] = payload
        elif kind == RST_STREAM:
            self.ended.setdefault(stream, payload)  # it may follow the status
        elif kind == GOAWAY:
            self.ended[0] = payload
        elif kind == DATA:
            self.bytes += len(payload)
            if self.keep:
                self.data[stream] = self.data.get(stream, b"") + payload
            if self.reads and payload:
                grant = struct.pack(">I", len(payload))
                self.send(frame(WINDOW_UPDATE, 0, 0, grant) + frame(WINDOW_UPDATE, 0, stream, grant))

    def grant(self, stream, more):
        """Widens the window of a stream; None: of all streams."""
        with self.granted:
            for one in [s for s in self.windows if s] if stream is None else [stream]:
                self.windows[one] = self.windows.get(one, self.first_window) + more
            self.granted.notify_all()

    def push(self, stream, data, ends=True):
        """Sends data in DATA frames as the windows let it; OSError if the call or the connection ends first."""
        at = 0
        while at < len(data):
            with self.granted:
                room = 0
                while room <= 0:
                    if self.closed or stream in self.ended:
                        raise OSError("ended")
                    room = min(self.windows[0], self.windows.setdefault(stream, self.first_window), 16384)
                    if room <= 0:
                        self.granted.wait(1)
                part = data[at:at + room]
                self.windows[0] -= len(part)
                self.windows[stream] -= len(part)
            at += len(part)
            self.send(frame(DATA, END_STREAM if ends and at == len(data) else 0, stream, part))

    def begin(self, method, extra=(), indexed=None, again=0):
        """The frames that begin a call, and its stream. The pair `indexed` is put into the table of the other side, and
        later calls send its newest entry `again` so many times (RFC 7541, 6.1 and 6.2.1)."""
        stream, self.next = self.next, self.next + 2
        block = headers([(":method", "POST"), (":scheme", "http"), (":path", f"/repath.v1.{method}"),
                         (":authority", "x"), ("content-type", "application/grpc"), ("te", "trailers"), *extra])
        if indexed:
            block += b"\x40" + headers([indexed])[1:]
        block += integer(62, 7, first=0x80) * again
        return frame(HEADERS, END_HEADERS, stream, block), stream

    def call(self, method, request):
        """Begins a call with one message; returns its stream."""
        begin, stream = self.begin(method)
        data = message(request)
        if len(data) <= 16384:
            with self.granted:
                self.windows[0] -= len(data)
            self.send(begin + frame(DATA, END_STREAM, stream, data))
        else:
            self.send(begin)
            self.push(stream, data)
        return stream

    def wait(self, stream, seconds=20):
        """Returns whether the call ended within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.closed:
            if stream in self.ended:
                return True
            time.sleep(0.002)
        return stream in self.ended

    def status(self, stream):
        """The number in grpc-status of an ended call, or None (a literal, see TABLE_SIZE)."""
        block = self.ended.get(stream, b"")
        at = block.find(b"grpc-status")
        return int(block[at + 12:at + 12 + block[at + 11]]) if at >= 0 else None

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


def resident_mb(pid, name="VmRSS"):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
    return 0


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
