"""Attacks by clients whose calls are right, one by one: sessions, rates, agents, changes. See attacks.py."""
import time

from http2 import DATA, Connection, field, frame, message
from server import OTHER, Editor, cell, cpu_seconds, create

DENIED, EXHAUSTED = 7, 8


def open_session(connection, name, secret="", ttl_ms=0):
    """Opens a session of the neighbour's world; returns its stream."""
    begin, stream = connection.begin("AgentService/Session")
    request = field(2, [field(1, "neighbour"), field(2, name), field(3, ttl_ms), field(5, secret)])
    connection.send(begin + frame(DATA, 0, stream, message(field(1, 1) + request)))
    return stream


class ClientAttacks:
    """`size` and `beside` are those of Attacks."""

    # ---- sessions, agents ----

    def sessions(self, server):
        def attack():
            connection = Connection(server.port)
            for i in range(1100):
                stream = open_session(connection, f"s{i}", ttl_ms=86_400_000)
            connection.wait(stream, 2)
            connection.close()
            time.sleep(0.5)
            fresh = Connection(server.port, keep=True, source=OTHER)
            stream = open_session(fresh, "fresh")
            fresh.wait(stream, 1)
            opens = bool(fresh.data.get(stream))
            left = server.metric("repath_sessions")
            for i in range(1100):
                server.call("AdminService/CloseSession", field(1, "neighbour") + field(2, f"s{i}"))
            time.sleep(0.5)
            now = server.metric("repath_sessions")
            return opens and now == 1, f"1,100 sessions of a day, then gone: another one opens; {left - now:.0f} closed"
        return self.beside(server, attack)

    def stolen_session(self, server):
        def attack():
            owner = Connection(server.port, keep=True)
            mine = open_session(owner, "match", secret="of the owner")
            owner.wait(mine, 0.5)
            thief = Connection(server.port, source=OTHER)
            secrets = ["", "of the thief", "of the owne", *(str(i) for i in range(self.size(50, 500)))]
            streams = [open_session(thief, "match", secret) for secret in secrets]
            refused = sum(thief.wait(stream) and thief.status(stream) == DENIED for stream in streams)
            lost = mine in owner.ended or owner.closed or not owner.data.get(mine)
            for one in (owner, thief):
                one.close()
            return refused == len(secrets) and not lost, (
                f"a session resumed by its name and {len(secrets)} secrets: {refused} refused, "
                f"its owner {'lost it' if lost else 'has it'}")
        return self.beside(server, attack)

    # ---- calls ----

    def call_rate(self, server):
        def attack():
            connection = Connection(server.port)
            streams = [connection.call("WorldService/GetWorld", field(1, "neighbour"))
                       for _ in range(self.size(2000, 20_000))]
            connection.wait(streams[-1])
            served = sum(connection.status(stream) == 0 for stream in streams)
            refused = server.metric("repath_calls_above_rate_total")
            connection.close()
            return 200 <= served < len(streams) / 2 and refused > 0, (
                f"{len(streams)} calls at a limit of 200 in a second: {served} served, {refused:.0f} refused")
        return self.beside(server, attack)

    def many_views(self, server):
        def attack():
            side = 2048
            assert server.call("WorldService/CreateWorld", create("w", side), 60) == 0
            many = b"".join(field(3, [field(1, team), field(3, team), field(4, cell(1, 1)), field(5, cell(9, 9))])
                            for team in range(31))
            assert server.call("AgentService/UpsertAgents", field(1, "w") + many, 60) == 0
            wall = [field(1, 1), field(2, [field(1, 0), field(2, 0), field(3, side), field(4, 70)]), field(6, 1)]
            calls, began = self.size(3, 20), cpu_seconds(server.pid)
            for _ in range(calls):
                status = server.call("WorldService/ApplyChanges", field(1, "w") + field(2, [field(1, wall)]), 60)
                assert status == EXHAUSTED, f"status {status}"
            each = (cpu_seconds(server.pid) - began) / calls
            return each < 0.5, f"a wall before 31 views, refused after {each * 1000:.0f} ms of a core"
        return self.beside(server, attack)

    def large_batches(self, server):
        """The largest batches that are accepted. The server has one thread for its worlds."""
        side = self.size(1024, 2048)

        def put_wall(rows):
            box = [field(1, 0), field(2, 20), field(3, side), field(4, 20 + rows)]
            batch = [field(1, [field(1, 1), field(2, box), field(6, 1)])]
            began = time.monotonic()
            status = server.call("WorldService/ApplyChanges", field(1, "w") + field(2, batch), 60)
            return status, time.monotonic() - began
        assert server.call("WorldService/CreateWorld", create("w", side), 60) == 0
        many = b"".join(field(3, [field(1, team), field(3, team), field(4, cell(1, 1)), field(5, cell(9, 9))])
                        for team in range(31))
        assert server.call("AgentService/UpsertAgents", field(1, "w") + many, 60) == 0
        rows = 1
        while rows < side // 4 and put_wall(rows * 2)[0] == 0:
            rows *= 2
        neighbour = Editor(server)
        neighbour.begin()
        took = [put_wall(rows // 2 if i % 2 == 0 else rows) for i in range(self.size(4, 10))]
        _, longest, failed, calls = neighbour.finish()
        assert all(status == 0 for status, _ in took) and calls > 0
        slowest = max(seconds for _, seconds in took) * 1000
        return failed == 0 and longest < max(250, slowest / 2), (
            f"a wall of {rows} rows before 31 views takes {slowest:.0f} ms; another world's changes longest "
            f"{longest:.0f} ms ({neighbour.quiet[1]:.0f} in quiet), {server.metric('repath_long_pieces_total'):.0f} long pieces")

    def colliding_ids(self, server):
        """The ids are multiples of the primes that std::unordered_map takes as its numbers of buckets."""
        def upsert(name, step, count):
            server.call("WorldService/CreateWorld", create(name, 64, field(7, [field(2, 1)])))
            began = time.monotonic()
            for first in range(0, count, 4000):
                agents = b"".join(field(3, [field(1, (first + i) * step + 1), field(4, cell(1, 1)),
                                            field(5, cell(60, 60))]) for i in range(4000))
                assert server.call("AgentService/UpsertAgents", field(1, name) + agents, 60) == 0
            return time.monotonic() - began
        count = self.size(12_000, 40_000)
        plain, bad = upsert("plain", 1, count), upsert("bad", 10_273 * 20_753 * 42_043, count)
        return bad < 3 * plain + 0.5, f"{count} agents: {plain:.2f} s, with colliding ids {bad:.2f} s"
