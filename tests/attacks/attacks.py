#!/usr/bin/env python3
"""Attacks on a server with default limits, see tests/attacks.sh."""
import json
import os
import struct
import sys
import threading
import time
import zlib

sys.dont_write_bytecode = True
from http2 import (DATA, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, Connection, descriptors, field,  # noqa: E402
                   frame, headers, message)
from clients import ClientAttacks  # noqa: E402
from server import OTHER, RECT, Neighbour, Server, cell, cpu_seconds, create, find_path  # noqa: E402

EXHAUSTED, UNIMPLEMENTED = 8, 12
IDA_STAR, LPA = 8, 4
LONGEST_MS = 20_000  # longest wait of another client that is no failure; the attacker takes the same cores
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Attacks(ClientAttacks):
    def __init__(self, bin_dir, is_short, only):
        self.bin, self.is_short, self.only = bin_dir, is_short, only
        self.lines, self.failed = 0, []

    def size(self, short, full):
        return short if self.is_short else full

    def line(self, name, attack, *flags, files=None, memory_mb=256):
        """Runs attack(server), which returns (whether it was held, its figure)."""
        if self.only and self.only != name:
            return
        self.lines += 1
        began = time.monotonic()
        server = Server(self.bin, *flags, files=files, memory_mb=memory_mb)
        try:
            held, figure = attack(server)
            peak = server.peak_mb() if server.is_alive() else 0
            if peak > server.limit_mb():
                held, figure = False, f"{figure}; over the limit"
            where = " in a control group" if server.group.path else ""
            figure += f"; peak {peak:.0f} of {server.limit_mb()} MiB{where}" if peak else ""
        except Exception as error:  # pylint: disable=broad-except
            held, figure = False, f"{type(error).__name__}: {error}"
        finally:
            log = server.log()
            server.end()
        if not held:
            self.failed.append(name)
            print("\n".join("    " + text for text in log.splitlines()[-12:]), file=sys.stderr)
        print(f"{'ok' if held else 'FAILED':6} {name:22} {figure}; {time.monotonic() - began:.1f} s", flush=True)

    def beside(self, server, attack):
        """Runs the attack while another client asks; returns (whether that was served, figures of both)."""
        neighbour = Neighbour(server)
        neighbour.begin()
        try:
            held, figure = attack()
        finally:
            p99, longest, failed, _ = neighbour.finish()
        served = failed == 0 and longest < LONGEST_MS
        return held and served and server.is_alive(), (
            f"{figure}; others p99 {p99:.1f} ms ({neighbour.quiet[0]:.1f} in quiet), longest {longest:.0f} ms"
            + (f", {failed} failed" if failed else ""))

    # ---- connections and frames ----

    def connections(self, server):
        held = []
        for i in range(600):
            try:
                held.append(Connection(server.port, source=f"127.0.0.{3 + i % 6}"))
            except OSError:
                continue
        time.sleep(1)
        few = descriptors(server.pid)
        inside = server.page("/readyz")[0]
        for one in held:
            one.close()
        time.sleep(1)
        status = server.call("WorldService/ListWorlds", b"")
        refused = server.metric("repath_connections_refused_total")
        return (status == 0 and inside == 200 and refused > 0 and few < 256,
                f"600 connections for 256 descriptors: {few} in use, {refused:.0f} refused")

    def bomb(self, server):
        def attack():
            packer = zlib.compressobj(9, zlib.DEFLATED, 31)
            zeros = bytes(1 << 24)
            packed = b"".join(packer.compress(zeros) for _ in range(self.size(40, 240))) + packer.flush()
            data = message(packed, compressed=True)
            connection = Connection(server.port)
            begin, stream = connection.begin("PathService/FindPath", [("grpc-encoding", "gzip")])
            try:
                connection.send(begin)
                connection.push(stream, data)
            except OSError:
                pass
            connection.wait(stream, 10)
            status = connection.status(stream)
            connection.close()
            return status == UNIMPLEMENTED, f"{len(data) / 1e6:.1f} MB in, status {status}"
        return self.beside(server, attack)

    def endless_message(self, server):
        def attack():
            connection = Connection(server.port)
            begin, stream = connection.begin("PathService/FindPath")
            sent, part = 0, bytes(1 << 18)
            try:
                connection.send(begin)
                connection.push(stream, message(b"", length=0xffffffff), ends=False)
                while sent < self.size(400, 2000) << 20:
                    connection.push(stream, part, ends=False)
                    sent += len(part)
            except OSError:
                pass
            time.sleep(1)
            return connection.closed, f"closed after {sent >> 20} MiB of a message of 4 GiB"
        return self.beside(server, attack)

    def streams(self, server):
        def attack():
            connection = Connection(server.port)
            count = self.size(20_000, 200_000)
            try:
                for _ in range(count // 100):
                    connection.send(b"".join(connection.begin("AgentService/Session")[0] for _ in range(100)))
            except OSError:
                pass
            time.sleep(1)
            calls = server.metric("repath_calls")
            return calls <= 2049, f"{count} sessions begun on a connection, {calls:.0f} under way" + (
                ", connection closed" if connection.closed else "")
        held, figure = self.beside(server, attack)
        took, status = server.terminate(9)
        return held and status == 0, f"{figure}; SIGTERM {took:.1f} s"

    def waiting_calls(self, server):
        """Calls of which only metadata come: gRPC tells the server of them when their message is there. The metadata are
        entries of HPACK's table, so that 8 KiB take two bytes."""
        def attack():
            held, refused = [], 0
            for _ in range(self.size(16, 200)):
                try:
                    connection = Connection(server.port)
                except OSError:
                    refused += 1
                    time.sleep(0.05)
                    continue
                held.append(connection)
                try:
                    connection.send(connection.begin("PathService/FindPath", indexed=("x-note", "n" * 3900))[0])
                    for _ in range(20):
                        connection.send(b"".join(connection.begin("PathService/FindPath", again=2)[0]
                                                 for _ in range(100)))
                except OSError:
                    pass
            time.sleep(1)
            closed = sum(one.closed for one in held)
            for one in held:
                one.close()
            return closed > 0, f"2,000 calls without a message on each of {len(held)} connections: {closed} closed, " \
                               f"{refused} more refused"
        return self.beside(server, attack)

    def unknown_methods(self, server):
        connection = Connection(server.port)
        streams = [connection.call(f"{service}/Unknown", b"") for service in ("PathService", "NoService") * 50]
        ended = all(connection.wait(stream) for stream in streams)
        statuses = {connection.status(stream) for stream in streams}
        connection.close()
        status = server.call("WorldService/ListWorlds", b"")
        return ended and status == 0 and statuses == {UNIMPLEMENTED}, f"100 calls of unknown methods: status {statuses}"

    def reflection(self, server):
        """Each such stream takes a thread."""
        connection = Connection(server.port)
        block = headers([(":method", "POST"), (":scheme", "http"), (":authority", "x"), ("te", "trailers"),
                         (":path", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"),
                         ("content-type", "application/grpc")])
        before = threads(server.pid)
        for stream in range(1, 2001, 2):
            connection.send(frame(HEADERS, END_HEADERS, stream, block))
        time.sleep(1)
        more = threads(server.pid) - before
        status = server.call("WorldService/ListWorlds", b"")
        connection.close()
        return status == 0 and more < 100, f"1,000 silent streams of reflection: {more} more threads"

    def resets(self, server):
        def attack():
            count, sent = self.size(30_000, 100_000), 0
            request = message(find_path("neighbour", (0, 0), (1, 1)))
            cpu = cpu_seconds(server.pid)
            end = time.monotonic() + 60
            while sent < count and time.monotonic() < end:
                try:
                    connection = Connection(server.port)
                    for _ in range(20):
                        frames = []
                        for _ in range(100):
                            begin, stream = connection.begin("PathService/FindPath")
                            frames.append(begin + frame(DATA, END_STREAM, stream, request)
                                          + frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))
                        connection.send(b"".join(frames))
                        sent += 100
                except OSError:
                    time.sleep(0.05)  # the server has closed it, or refuses the address for a second
            time.sleep(0.5)
            return True, f"{sent} resets: {cpu_seconds(server.pid) - cpu:.1f} s of CPU, " \
                         f"{server.metric('repath_connections_ended_total'):.0f} connections ended"
        return self.beside(server, attack)

    # ---- unread answers ----

    def unread_answers(self, server):
        def attack():
            server.call("WorldService/CreateWorld", create("w", 600))
            request = field(1, "w") + field(2, cell(300, 300))
            connections = []
            for _ in range(self.size(8, 40)):
                connection = Connection(server.port, reads=False, window=0)
                connections.append(connection)
                try:
                    for _ in range(100):
                        connection.call("PathService/GetFlowField", request)
                except OSError:
                    pass
            time.sleep(self.size(6, 30))
            held = server.metric("repath_calls_held_bytes") / (1 << 20)
            for connection in connections:
                connection.close()
            return True, f"{100 * len(connections)} answers of a field unread, {held:.0f} MiB held"
        return self.beside(server, attack)

    def unread_watches(self, server):
        """Every watch gets an event of each agent when the ground is cut in two."""
        agents = self.size(4000, 40_000)

        def attack():
            server.call("WorldService/CreateWorld", create("w", 64))
            for first in range(0, agents, 4000):
                many = b"".join(field(3, [field(1, first + i), field(4, cell(1, 1)), field(5, cell(60, 60))])
                                for i in range(4000))
                assert server.call("AgentService/UpsertAgents", field(1, "w") + many, 60) == 0
            connection = Connection(server.port, reads=False, window=0)
            for _ in range(1000):
                connection.call("AgentService/WatchPaths", field(1, "w"))
            time.sleep(1)
            wall = [field(1, 1), field(2, [field(1, 32), field(2, 0), field(3, 33), field(4, 64)]), field(6, 1)]
            began = time.monotonic()
            server.call("WorldService/ApplyChanges", field(1, "w") + field(2, [field(1, wall)]), 60, OTHER)
            status = server.call("WorldService/GetWorld", field(1, "w"), 60, OTHER)
            took = time.monotonic() - began
            time.sleep(1)
            connection.close()
            return status == 0 and took < 60, f"1,000 watches of {agents} agents unread, one change: {took:.1f} s"
        return self.beside(server, attack)

    # ---- queries ----

    def explain(self, server):
        side = self.size(1500, 10_000)

        def attack():
            assert server.call("WorldService/CreateWorld", create("w", side), 60) == 0
            query = find_path("w", (0, 0), (side - 1, side // 2), field(6, [field(1, LPA), field(8, 1)]))
            status = server.call("DebugService/ExplainPath", field(1, query), 60)
            return status is not None, f"ExplainPath by LPA on {side} squared: status {status}"
        return self.beside(server, attack)

    def endless_queries(self, server):
        def attack():
            server.call("WorldService/CreateWorld", create("w", 300))
            wall = [field(1, 1), field(2, [field(1, 150), field(2, 0), field(3, 151), field(4, 299)]), field(6, 1)]
            server.call("WorldService/ApplyChanges", field(1, "w") + field(2, [field(1, wall)]))
            request = find_path("w", (0, 0), (299, 0), field(6, [field(1, IDA_STAR)]))
            connection = Connection(server.port)
            for _ in range(self.size(20, 60)):
                connection.call("PathService/FindPath", request)
            time.sleep(1)
            began = time.monotonic()
            made = server.call("WorldService/CreateWorld", create("fresh", 64), 5, OTHER)
            took = time.monotonic() - began
            time.sleep(self.size(3, 20))
            connection.close()
            return made == 0 and took < 1, f"IDA* without a deadline: CreateWorld in {took * 1000:.0f} ms"
        return self.beside(server, attack)

    # ---- memory ----

    def greedy_world(self, server):
        def attack():
            options = field(7, [field(7, 1_000_000)])
            profiles = b"".join(field(5, [field(1, f"p{i}"), field(5, float(1 + i % 16))]) for i in range(32))
            server.call("WorldService/CreateWorld", create("w", 2000, profiles, options), 60)
            refused = 0
            for profile in range(32):
                for team in range(self.size(2, 5)):
                    walker = field(5, [field(1, f"p{profile}"), field(2, team)])
                    status = server.call("PathService/FindPath", find_path("w", (0, 0), (9, 9), walker), 30)
                    refused += status == EXHAUSTED
            return True, f"memory_limit_mb of 1e6, {32 * self.size(2, 5)} views: {refused} refused"
        return self.beside(server, attack)

    def imports(self, server):
        def attack():
            ended, connections = 0, []
            for i in range(12):
                connection = Connection(server.port)
                connections.append(connection)
                begin, stream = connection.begin("WorldService/ImportWorld")
                header = message(field(1, [field(1, [field(1, f"i{i}")]), field(2, 2)]))
                chunk = message(field(2, bytes([46]) * (1 << 20)))
                try:
                    connection.send(begin)
                    connection.push(stream, header, ends=False)
                    for _ in range(self.size(60, 500)):
                        connection.push(stream, chunk, ends=False)
                except OSError:
                    pass
                ended += connection.wait(stream, 0.5) and connection.status(stream) == EXHAUSTED
            for connection in connections:
                connection.close()
            return ended > 0, f"12 imports without an end: {ended} refused"
        return self.beside(server, attack)

    def json_file(self, server):
        def attack():
            count = self.size(2_000_000, 20_000_000)
            text = b'{"nodes": [{"id": 1, "position": [' + b"[]," * count + b"0]}]}"
            connection = Connection(server.port)
            begin, stream = connection.begin("WorldService/ImportWorld")
            try:
                connection.send(begin)
                connection.push(stream, message(field(1, [field(1, [field(1, "j")]), field(2, 7)])), ends=False)
                for at in range(0, len(text), 1 << 20):
                    chunk = text[at:at + (1 << 20)]
                    connection.push(stream, message(field(2, chunk)), ends=at + len(chunk) == len(text))
            except OSError:
                pass
            ended = connection.wait(stream, 30)
            status = connection.status(stream)
            connection.close()
            return ended and status != 0, f"JSON of {len(text) >> 20} MiB: status {status}"
        return self.beside(server, attack)

    def json_nesting(self, server):
        """Brackets that do not end, in requests by HTTP; another client asks by HTTP, too."""
        text = b'{"batch":{"removeObstacles":'
        text += b"[" * ((4 << 20) - len(text))
        answers = []

        def post():
            answers.append(server.post("WorldService/ApplyChanges", text, 60))
        attackers = [threading.Thread(target=post) for _ in range(4)]
        for one in attackers:
            one.start()
        longest = 0.0
        asked = 0
        while asked < 5 or any(one.is_alive() for one in attackers):
            began = time.monotonic()
            status = server.post("WorldService/ListWorlds", b"{}", 60, OTHER)
            longest = max(longest, time.monotonic() - began)
            asked += 1
            if status != 200:
                break
        for one in attackers:
            one.join()
        return status == 200 and longest < 3 and answers == [400] * 4, (
            f"4 requests of 4 MiB of open brackets: {answers}; {asked} calls of another client by HTTP, "
            f"longest {longest * 1000:.0f} ms")

    # ---- the admin port, the end ----

    def admin(self, server):
        import socket
        idle = [socket.create_connection(("127.0.0.1", server.admin)) for _ in range(200)]
        time.sleep(0.2)
        began = time.monotonic()
        status = server.page("/livez")[0]
        took = time.monotonic() - began
        foreign = server.page("/livez", host="evil.example.org")[0]
        for one in idle:
            one.close()
        return status == 200 and took < 1, f"200 idle connections: /livez {status} in {took * 1000:.0f} ms, " \
                                           f"with a foreign Host {foreign}"

    def silent(self, server):
        connection = Connection(server.port)
        begin, _ = connection.begin("AgentService/Session")
        connection.send(begin)
        import socket
        mute = socket.create_connection(("127.0.0.1", server.port))
        time.sleep(0.3)
        took, status = server.terminate(9)
        mute.close()
        return status == 0 and took < 3, f"SIGTERM with silent clients: {took:.1f} s, status {status}"

    def run(self):
        self.line("connections", self.connections, files=256)
        self.line("gzip-bomb", self.bomb)
        self.line("endless-message", self.endless_message)
        self.line("unread-answers", self.unread_answers)
        self.line("unread-watches", self.unread_watches)
        self.line("streams", self.streams)
        self.line("waiting-calls", self.waiting_calls)
        self.line("reflection", self.reflection)
        self.line("unknown-methods", self.unknown_methods)
        self.line("no-reflection", self.unknown_methods, "--reflection", "off")
        self.line("rapid-resets", self.resets)
        self.line("greedy-world", self.greedy_world)
        self.line("explain", self.explain, memory_mb=self.size(512, 4096))
        self.line("unfinished-imports", self.imports)
        self.line("json-file", self.json_file, memory_mb=self.size(256, 2048))
        self.line("json-nesting", self.json_nesting)
        self.line("endless-queries", self.endless_queries)
        self.line("sessions", self.sessions)
        self.line("stolen-session", self.stolen_session)
        self.line("call-rate", self.call_rate, "--calls-per-second-max", "200")
        self.line("many-views", self.many_views)
        self.line("large-batches", self.large_batches, "--world-threads", "1", memory_mb=4096)
        self.line("colliding-ids", self.colliding_ids)
        self.line("admin", self.admin)
        self.line("silent-client", self.silent)
        print(json.dumps({"lines": self.lines, "failed": self.failed}))
        return 1 if self.failed else 0


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def main(arguments):
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else None
    folders = [a for a in arguments if not a.startswith("--") and a != only]
    bin_dir = folders[0] if folders else f"{TOP}/build/dev/bin"
    return Attacks(bin_dir, "--short" in arguments, only).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
