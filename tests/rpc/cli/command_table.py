"""What every_command_test.py runs: each command of `repath`, each of its options, and the kinds of world on which it counts."""
import os
import time
from dataclasses import dataclass, field
from typing import Callable

KINDS = ("grid", "hexagons", "obj", "plan", "graph")
ALL = frozenset(KINDS)
GRIDS = frozenset({"grid", "hexagons"})
MESHES = frozenset({"obj", "plan"})
NO_GRAPH = GRIDS | MESHES
ROUTES = ALL - GRIDS
REFUSED = frozenset({2, 3})
CELL = r"\d+,\d+"
ANYWHERE = r"-?[\d.]+,-?[\d.]+,-?[\d.]+"  # agents on graphs are at the nearest node, on meshes on the ground

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))
SQUARE = ["..........", "..........", "####.#####", "..........", ".........."]
# Flat ground of 20 x 20 units.
FLOOR = "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 3 2\nf 1 4 3\n"
PROFILE = '{"profiles": [{"name": "cart"}]}'
CARS = '{"profiles": [{"name": "car", "turning_radius": 0.5}]}'
GRID_CHANGES = '{"upsertObstacles": [{"id": 9, "cylinder": {"center": {"x": 2, "z": 1}, "radius": 1}, "costFactor": 3}]}'
MESH_CHANGES = '{"upsertObstacles": [{"id": 9, "cylinder": {"center": {"x": 7, "z": 7}, "radius": 1}, "blocked": true}]}'
GRAPH_CHANGES = '{"graphEdits": [{"switchNode": {"id": "2", "enabled": false}}]}'
RUN = '{"scenario": "rts", "events": 1, "replanned_ms": {"p50": 1}}'


@dataclass(frozen=True)
class Places:
    """Where things are in one world."""
    world: str
    kind: str
    files: str  # a folder
    start: str
    goal: str
    other: str
    shape: tuple  # of an obstacle, or the file of edits on graphs
    map_file: str

    def file(self, name):
        return os.path.join(self.files, name)

    @property
    def changes(self):
        return self.file({"graph": "graph.json", "obj": "mesh.json", "plan": "mesh.json"}.get(self.kind, "grid.json"))

    @property
    def topology(self):
        return ["--topology", "hex"] if self.kind == "hexagons" else []


class Maps:
    """The maps, written into a folder, and the worlds made of them."""

    def __init__(self, folder):
        self.folder = folder
        length = 7 + 4.82842712  # of the query in the scenario
        grid = "\n".join(["type octile", "height 5", "width 10", "map", *(row.replace("#", "@") for row in SQUARE)])
        for name, text in {"square.txt": "\n".join(SQUARE), "square.map": grid, "floor.obj": FLOOR,
                           "square.map.scen": f"version 1\n0\tsquare.map\t10\t5\t0\t0\t9\t4\t{length}",
                           "profile.json": PROFILE, "cars.json": CARS, "grid.json": GRID_CHANGES, "mesh.json": MESH_CHANGES,
                           "graph.json": GRAPH_CHANGES, "before.json": RUN, "after.json": RUN,
                           "tokens": f"token kept read * {'0' * 64}"}.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text + "\n")

    def places(self, world, kind):
        file = os.path.join(self.folder, "square.txt")
        if kind in GRIDS:
            return Places(world, kind, self.folder, "0,0", "9,4", "4,0", ("--id", "1", "--block", "4,2,5,3"), file)
        if kind == "obj":
            return Places(world, kind, self.folder, "3,0,3", "17,0,17", "17,0,3", ("--id", "1", "--box", "10,10,2,2"),
                          os.path.join(self.folder, "floor.obj"))
        if kind == "plan":
            return Places(world, kind, self.folder, "2,0,2", "22,0,2", "2,0,14", ("--id", "1", "--box", "11,1,1.5,1.5"),
                          os.path.join(TOP, "deploy/maps/house.json"))
        return Places(world, kind, self.folder, "0,0,0", "200,0,150", "100,0,0",
                      ("--file", os.path.join(self.folder, "graph.json")), os.path.join(TOP, "deploy/maps/streets.json"))

    def world_of(self, world, kind):
        """Commands that make the world, with agent 7 and, but on graphs, an obstacle 5 away from everything."""
        at = self.places(world, kind)
        cars = ["--profile", at.file("cars.json")] if kind in MESHES or kind == "grid" else []
        yield ["world", "import", world, at.map_file, *at.topology, *cars]
        yield ["agent", "add", world, "7", "--from", at.start, "--to", at.goal]
        if kind != "graph":
            yield ["world", "apply", world, "--id", "5", "--circle", "1,4.5,0.2", "--open"]


@dataclass(frozen=True)
class Run:
    arguments: list
    statuses: frozenset


@dataclass(frozen=True)
class Option:
    """`values` follow the option's name behind the command's own arguments; `whole` takes the place of all of them."""
    values: Callable = lambda at: []
    counts_on: frozenset = ALL
    tried_on: frozenset = ALL
    statuses: frozenset = frozenset({0, 1})
    whole: Callable = None
    text_only: bool = False

    def run(self, name, base, at):
        arguments = self.whole(at) if self.whole else [*base, name, *self.values(at)]
        return Run(arguments, self.statuses if at.kind in self.counts_on else REFUSED)


def option(*values, on=ALL, **others):
    return Option(lambda at: [value(at) if callable(value) else value for value in values], on, **others)


@dataclass(frozen=True)
class Command:
    base: Callable  # places -> arguments
    options: dict = field(default_factory=dict)
    kinds: frozenset = ALL
    statuses: frozenset = frozenset({0})
    refused_on: frozenset = frozenset()
    world: str = "once"  # made "once", before "each" run, never ("none"), or by the command itself ("deleted" before each run)
    expected: Callable = lambda at: ""  # what it prints, without --json
    follows: bool = False  # a stream: with --json it prints an object for each thing that comes

    def statuses_on(self, kind):
        return REFUSED if kind in self.refused_on else self.statuses

    def expected_on(self, at):
        return "" if at.kind in self.refused_on else self.expected(at)

    def base_options(self):
        """Options in the arguments of some kind."""
        folder = "/nowhere"
        maps = Maps.__new__(Maps)
        maps.folder = folder
        return {word for kind in self.kinds for word in self.base(maps.places("w", kind)) if word.startswith("--")}


WALKER = {"--profile": option("default"), "--team": option("3")}
REVISIONS = {"--min-revision": option("1"), "--at-revision": option("1")}
FALLBACKS = {"--partial": option(), "--snap": option()}
SESSION = {"--session": option("nobody", statuses=frozenset({0, 3})), "--session-secret": option("of-nobody", "--session", "nobody", statuses=frozenset({3}))}
FOLLOW = {"--count": option("1"), "--for": option("0.2")}

QUERY = {**WALKER, **FALLBACKS,
         "--radius": option("1"),
         "--algorithm": option("astar"),
         "--weight": option("2"),
         "--heuristic": option("zero"),
         "--max-expansions": option("100000"),
         "--memory-limit": option("100000", "--algorithm", "sma", on=GRIDS | {"graph"}),
         "--cluster-side": option("8", "--algorithm", "hpa", on=frozenset({"grid"})),
         "--levels": option("2", "--algorithm", "hpa", on=frozenset({"grid"})),
         "--turn-penalty": option("1", on=GRIDS | {"graph"}),
         "--smooth": option("straight", on=frozenset({"grid"})),
         "--deviation": option("0.1", "--smooth", "curves", on=frozenset({"grid"})),
         "--max-waypoints": option("1"), **REVISIONS}


def shaped(kind_shape, *effect, on=NO_GRAPH):
    """An option that needs an obstacle's shape beside it; `kind_shape` is tried on every kind."""
    return Option(whole=lambda at: [at.world, "--id", "3", *kind_shape, *effect], counts_on=on)


CIRCLE = ("--circle", "1,1,0.4")


def alone(*arguments, on=ALL, **others):
    """An option that is tried without the command's own arguments."""
    return Option(whole=lambda at: [at.world, *arguments], counts_on=on, **others)


CHANGES = {"--id": shaped(CIRCLE),
           "--block": shaped(("--block", "0,0,1,1"), on=GRIDS),
           "--box": shaped(("--box", "1,1,0.4,0.4,0.3")),
           "--circle": shaped(CIRCLE),
           "--polygon": shaped(("--polygon", "1,1,2,1,1,2")),
           "--capsule": shaped(("--capsule", "1,1,2.5,1.5,0.3")),
           "--cost": shaped(CIRCLE, "--cost", "2"),
           "--area": shaped(CIRCLE, "--area", "3", on=MESHES),
           "--team": shaped(CIRCLE, "--team", "1"),
           "--bottom": shaped(CIRCLE, "--bottom", "-1", on=MESHES),
           "--top": shaped(CIRCLE, "--top", "1", on=MESHES),
           "--open": shaped(CIRCLE, "--open"),
           "--door": alone("--door", "5=shut", on=NO_GRAPH),
           "--remove": alone("--remove", "5", on=NO_GRAPH),
           "--link": alone("--link", "1=shut", on=frozenset({"plan"})),
           "--terrain": alone("--terrain", "0,0,2,2=swamp", on=GRIDS),
           "--influence": alone("--influence", "0,0:0,0,2,2=64", on=GRIDS),
           "--decay": alone("--decay", "0,0=500", on=GRIDS),
           "--hide": alone("--hide", "0:0,0,2,2", on=GRIDS),
           "--reveal": alone("--reveal", "0:0,0,2,2", on=GRIDS),
           "--stand": alone("--stand", "7:0,0,1,1", on=GRIDS),
           "--walk-on": Option(whole=lambda at: [at.world, "--stand", "7:0,0,1,1", "--walk-on", "8"], counts_on=frozenset()),
           "--file": Option(whole=lambda at: [at.world, "--file", at.changes])}

SETTINGS = {"--corner": option("none", on=frozenset({"grid"})),
            "--radius": option("0.2"),
            "--profile": option(lambda at: at.file("profile.json")),
            "--lockstep": option(),
            "--frame-rate": option("20"),
            "--budget-units": option("1000"),
            "--budget-us": option("1000"),
            "--strategy": option("astar"),
            "--history": option("10"),
            "--memory-mb": option("64"),
            "--first-leg-cells": option("1", on=GRIDS)}


DEMO = Command(lambda at: ["--agents", "3", "--changes", "2", "--frame-ms", "1"], {"--seed": option("7")},
               kinds=frozenset({"grid"}), world="none", expected=lambda at: "all shortest")

# Not tried one by one, because each run takes a second; load_test.sh tries them.
LOAD_OPTIONS = ("--ground --side --worlds --storm-events --storm-seconds --queries --short-query --slow-sessions --slowness "
                "--slow-worlds --slow-load --frame-rate --speed --report-all --verify --verify-seconds --seed --csv --report "
                "--plot --objective --server-pid").split()
LOAD = Command(lambda at: ["--map", at.map_file, "--agents", "4", "--goals", "2", "--sessions", "1", "--obstacles", "2",
                           "--events", "2", "--warm-up", "0", "--duration", "0.5", "--drain", "5"],
               {**{name: option(tried_on=frozenset()) for name in LOAD_OPTIONS},
                "--strategy": option("astar")},
               kinds=ALL - {"hexagons"}, world="none")
# These scenarios behave alike, so their options are tried on one of them.
PLAIN_LOAD = Command(LOAD.base, {**LOAD.options, "--strategy": option(tried_on=frozenset())}, kinds=LOAD.kinds, world="none")
MMO = Command(lambda at: [*LOAD.base(at), "--worlds", "2"], PLAIN_LOAD.options, kinds=LOAD.kinds, world="none")
QUERIES = Command(lambda at: ["--map", at.map_file, "--agents", "0", "--goals", "0", "--sessions", "0", "--obstacles", "0",
                              "--events", "0", "--queries", "20", "--warm-up", "0", "--duration", "0.5", "--drain", "5"],
                  {name: option(tried_on=frozenset()) for name in [*LOAD_OPTIONS, "--strategy"] if name != "--queries"},
                  kinds=LOAD.kinds, world="none")
# The storm must be shorter than the run.
STORM = Command(lambda at: [*LOAD.base(at), "--storm-seconds", "0.2", "--storm-events", "10"],
                PLAIN_LOAD.options,
                kinds=LOAD.kinds, world="none")

COMMANDS = {
    ("world", "create"): Command(
        lambda at: [at.world, "--width", "8", "--height", "6", *at.topology],
        {**SETTINGS, "--cell-size": option("2"), "--topology": option("8", tried_on=frozenset({"grid"}))},
        kinds=GRIDS, world="deleted"),
    ("world", "import"): Command(
        lambda at: [at.world, at.map_file, *at.topology],
        {**SETTINGS,
         "--topology": option("8", on=frozenset({"grid"}), tried_on=ALL - {"hexagons"}),
         "--format": option(lambda at: {"obj": "obj", "plan": "floor_plan", "graph": "graph"}.get(at.kind, "text")),
         "--plan": option("delaunay", on=frozenset({"plan"})),
         "--base-radius": option("0.25", on=frozenset({"plan"})),
         "--tau": option("0.2", on=frozenset({"plan"})),
         "--cell-size": option("0.5", on=GRIDS | {"obj"}),
         "--cell-height": option("0.2", on=frozenset({"obj"})),
         "--agent-radius": option("0.5", on=frozenset({"obj"})),
         "--agent-height": option("2", on=frozenset({"obj"})),
         "--agent-climb": option("0.5", on=frozenset({"obj"})),
         "--slope": option("40", on=frozenset({"obj"}))},
        world="deleted"),
    ("world", "list"): Command(lambda at: [], expected=lambda at: f"^{at.world} .* SERVING$"),
    ("world", "show"): Command(
        lambda at: [at.world],
        expected=lambda at: r" grid of 10 x 5 cells of 1" if at.kind in GRIDS else r" of [1-9][\d.]* x [1-9][\d.]* units"),
    ("world", "export"): Command(
        lambda at: [at.world, at.file(f"{at.world}.world")],
        {"--format": option(lambda at: {"obj": "obj", "plan": "obj", "graph": "graph"}.get(at.kind, "text")),
         "--profile": option("default", "--format", "obj", on=MESHES),
         "--team": option("1", "--format", "obj", on=MESHES)},
        expected=lambda at: f"^{at.world}: .* at revision [1-9].* to /"),
    ("world", "obstacles"): Command(
        lambda at: [at.world],
        {"--area": option("0,0,1,1"), "--max": option("1"), "--at-revision": option("1")},
        expected=lambda at: "^0 obstacles at revision" if at.kind == "graph" else "^5 +circle 1,4.5 radius 0.20 +blocks +all +open"),
    ("world", "terrain"): Command(
        lambda at: [at.world],
        {"--area": option("0,0,1,1", on=GRIDS), "--since": option("1", on=GRIDS), "--team": option("1", on=GRIDS),
         "--at-revision": option("1", on=GRIDS)},
        refused_on=ROUTES, expected=lambda at: "^  ####.#####$"),
    ("world", "fork"): Command(
        lambda at: [at.world, f"{at.world}-now"],
        {"--revision": Option(whole=lambda at: [at.world, f"{at.world}-first", "--revision", "1"]),
         "--request-id": Option(whole=lambda at: [at.world, f"{at.world}-id", "--request-id", f"of {at.world}"])},
        expected=lambda at: f"^{at.world}-now: .* revision [12], hash "),
    ("world", "history"): Command(
        lambda at: [at.world], {"--from": option("1", statuses=frozenset({3})), "--limit": option("1")},
        expected=lambda at: "^0 batches; the world is at revision 1" if at.kind == "graph" else
        r"^20\d\d-.* revision 2  obstacle 5  hash"),
    ("world", "graph"): Command(
        lambda at: [at.world], {name: option(value, on=ALL - NO_GRAPH) for name, value in (("--max", "7"), ("--at-revision", "1"))},
        refused_on=NO_GRAPH, expected=lambda at: r"^\d+ -> \d+ +[\d.]+ +\d+ +\d+ +open"),
    ("world", "ground"): Command(
        lambda at: [at.world],
        {**{name: option("0", on=MESHES) for name in ("--first", "--team")}, "--profile": option("default", on=MESHES),
         "--max-cells": option("3", on=MESHES), "--min-revision": option("1", on=MESHES),
         "--at-revision": option("1", on=MESHES)},
        refused_on=ALL - MESHES, expected=lambda at: f"^  0  area .*{ANYWHERE}"),
    ("world", "grow"): Command(
        lambda at: ["--box", "1,1,0.5,0.5", "--radius", "0.25"],
        {"--block": Option(whole=lambda at: ["--block", "0,0,1,1"], counts_on=frozenset()),
         "--circle": Option(whole=lambda at: [*CIRCLE]),
         "--polygon": Option(whole=lambda at: ["--polygon", "1,1,2,1,1,2"]),
         "--capsule": Option(whole=lambda at: ["--capsule", "1,1,2.5,1.5,0.3"])},
        kinds=frozenset({"obj"}), world="none", expected=lambda at: r"^1 ring$"),
    ("world", "delete"): Command(lambda at: [at.world], world="each"),
    ("world", "apply"): Command(
        lambda at: [at.world, *at.shape],
        {**CHANGES, "--expected-revision": option("77", statuses=frozenset({3})), "--request-id": option("once")},
        expected=lambda at: "changes? of edges or cells, "),
    ("world", "test"): Command(
        lambda at: [at.world, *at.shape],
        {**CHANGES,
         "--paths": option("3"),
         "--pair": option(lambda at: f"{at.start}:{at.goal}"),
         "--pair-profile": option("default", "--pair", lambda at: f"{at.start}:{at.goal}"),
         "--pair-team": option("1", "--pair", lambda at: f"{at.start}:{at.goal}")},
        statuses=frozenset({0, 1}), expected=lambda at: "changes? of edges or cells, "),
    ("world", "placements"): Command(
        lambda at: [at.world],
        {name: option(value, on=GRIDS)
         for name, value in (("--profile", "default"), ("--team", "3"), ("--size", "2x2"), ("--area", "0,0,5,5"),
                             ("--max-expansions", "100000"), ("--min-revision", "1"))},
        refused_on=ALL - GRIDS, expected=lambda at: "^at revision [0-9]+: [0-9]+ places are free "),
    ("world", "watch"): Command(lambda at: [at.world, "--from-revision", "2", "--for", "0.3"], FOLLOW, follows=True),
    ("path", "find"): Command(
        lambda at: [at.world, "--from", at.start, "--to", at.goal],
        {**QUERY, "--every-cell": option(on=GRIDS)}, expected=lambda at: r"^COMPLETE, length"),
    ("path", "explain"): Command(
        lambda at: [at.world, "--from", at.start, "--to", at.goal],
        {**QUERY, "--max-nodes": option("5"), "--window": option("0,0,5,5", on=GRIDS, text_only=True),
         "--play": option(statuses=frozenset({2}), text_only=True),  # needs a terminal
         "--export": option(lambda at: at.file("trace.yaml"))},
        expected=lambda at: "S start" if at.kind in GRIDS else "touched [1-9]"),
    ("path", "nearest"): Command(
        lambda at: [at.world, "--from", at.start, "--to", at.goal, "--to", at.other],
        {**WALKER, **REVISIONS,
         "--max-distance": Option(whole=lambda at: [at.world, "--from", at.start, "--max-distance", "3"])},
        expected=lambda at: f"^COMPLETE: goal {at.other} is the nearest"),
    ("path", "away"): Command(
        lambda at: [at.world, "--from", at.start, "--threat", at.start, "--distance", "3"], {**WALKER, **FALLBACKS, **REVISIONS},
        expected=lambda at: "^COMPLETE: " + f"{ANYWHERE if at.kind in ROUTES else CELL} is"),
    ("path", "reachable"): Command(
        lambda at: [at.world, "--from", at.start, "--cost", "40"], {**WALKER, **REVISIONS, "--max-cells": option("3")},
        expected=lambda at: "^COMPLETE: [1-9][0-9]* " +
                            {"graph": "nodes", "obj": "pieces", "plan": "pieces"}.get(at.kind, "cells")),
    ("path", "flow"): Command(
        lambda at: [at.world, "--to", at.goal],
        {**WALKER, **REVISIONS, "--radius": option("1"), "--area": option("0,0,5,5", on=GRIDS), "--cost": option("1000", on=ROUTES),
         "--first": option("1", on=ROUTES), "--max-pieces": option("2", on=ROUTES)},
        expected=lambda at: "^COMPLETE: [1-9]"),
    ("path", "raycast"): Command(
        lambda at: [at.world, "--from", at.start, "--to", at.other],
        {name: option(value, on=NO_GRAPH) for name, value in (("--profile", "default"), ("--team", "3"), ("--min-revision", "1"), ("--at-revision", "1"))},
        refused_on=ALL - NO_GRAPH, expected=lambda at: "^(CLEAR to|HIT at) "),
    ("path", "check"): Command(
        lambda at: [at.world, "--at", at.start, "--at", at.other],
        {**WALKER,
         "--link": option("0", "--link", "0", on=MESHES),
         "--optimal": option(),
         "--max-expansions": option("100000", "--optimal"), **REVISIONS},
        statuses=frozenset({0, 1}), expected=lambda at: "^(VALID, length|BROKEN before waypoint) "),
    ("path", "random"): Command(
        lambda at: [at.world],
        {**WALKER,
         "--near": option(lambda at: at.start, "--radius", "5"),
         "--radius": option("5", "--near", lambda at: at.start),
         "--seed": option("7"), **REVISIONS},
        expected=lambda at: "^COMPLETE: " + (f"{ANYWHERE}[,;]" if at.kind in ROUTES else f"{CELL};")),
    ("agent", "add"): Command(
        lambda at: [at.world, "8", "--from", at.start, "--to", at.goal],
        {**WALKER, **FALLBACKS, **SESSION,
         "--radius": option("1"), "--priority": option("3"), "--max-staleness-ms": option("500"),
         "--min-improvement": option("0.1"), "--take-over": option(),
         "--curves": option("--profile", "car", on=frozenset({"grid"}) | MESHES),
         "--crowd-penalty": option("1", on=GRIDS),
         "--crowd-radius": option("4", "--crowd-penalty", "1", on=GRIDS),
         "--crowd-detour": option("0.5", "--crowd-penalty", "1", on=GRIDS)},
        expected=lambda at: f"^agent 8 at {at.start}: NEW_PATH, COMPLETE"),
    ("agent", "move"): Command(lambda at: [at.world, "7", "--to", at.start], SESSION,
                               expected=lambda at: f"^agent 7 at {at.start}: "),
    ("agent", "list"): Command(lambda at: [at.world], {"--paths": option()},
                               expected=lambda at: rf"^7 +{at.start} +{at.goal} +NEW_PATH  COMPLETE  [1-9]"),
    ("agent", "why"): Command(lambda at: [at.world, "7"], {"--last": option("1")}, expected=lambda at: r"s ago  revision \d+  agent 7  NEW_PATH"),
    ("agent", "watch"): Command(lambda at: [at.world, "--for", "0.3"], {"--count": option("1"), "--from-revision": option("1")},
                                expected=lambda at: f"NEW_PATH .*  at {ANYWHERE if at.kind in ROUTES else at.start}  length [1-9]",
                                follows=True),
    ("agent", "remove"): Command(lambda at: [at.world, "7"], SESSION, world="each", expected=lambda at: "removed 1"),
    ("session", "list"): Command(lambda at: [at.world], expected=lambda at: "^no sessions$"),
    # No command holds a session.
    ("session", "close"): Command(lambda at: [at.world, "nobody"], statuses=frozenset({3})),
    ("demo", "doors"): DEMO,
    ("demo", "tower-defence"): DEMO,
    ("stats",): Command(lambda at: [at.world], expected=lambda at: "^agents   1, waiting 0"),
    ("top",): Command(lambda at: [at.world, "--for", "0.3"], {"--count": option("1")},
                      expected=lambda at: r"^ *\d+ +\d+ +1 +0 +0 ", follows=True),
    ("token", "create"): Command(
        lambda at: [os.path.join(at.files, f"tokens-{time.monotonic_ns()}"), "--scopes", "read,agents", "--worlds", "arena-*"],
        {"--id": option("game-1")}, world="none", expected=lambda at: r"^t[0-9a-f]{10}\.[\w-]{43}$"),
    ("token", "list"): Command(lambda at: [at.file("tokens")], world="none", expected=lambda at: r"^token  kept  read  \*$"),
    ("token", "revoke"): Command(lambda at: [at.file("tokens"), "nobody"], world="none", statuses=frozenset({2})),
    # This server has no data folder.
    ("backup",): Command(lambda at: ["one"], world="none", statuses=frozenset({3})),
    ("play",): Command(lambda at: [at.file("no-recording")], world="none", statuses=frozenset({2})),
    ("restore",): Command(lambda at: [at.file("no-backup"), at.file("data")], world="none", statuses=frozenset({2})),
    ("tls", "check"): Command(
        lambda at: [at.file("tokens"), at.file("tokens")],
        {"--days": option("3"), "--client-ca": option(lambda at: at.file("tokens"))}, world="none", statuses=frozenset({1}),
        expected=lambda at: ""),
    ("replay",): Command(lambda at: [at.file("square.map.scen"), "--map", at.map_file if at.kind != "grid" else at.file("square.map")],
                         kinds=ALL - {"hexagons"}, refused_on=ROUTES, world="none"),
    ("verify",): Command(
        lambda at: ["--map", at.map_file, "--agents", "5", "--events", "5", *at.topology],
        {"--seed": option("3"), "--trace": option("1"),
         "--strategy": option("lpa"), "--topology": option("4", on=GRIDS, tried_on=ALL - {"hexagons"}),
         "--corner": option("one", on=GRIDS), "--realtime": option(on=GRIDS), "--restart-s": option("0"),
         "--features": Option(lambda at: ["teams" if at.kind in GRIDS else "clearance"])},
        world="none"),
    **{("load", name): PLAIN_LOAD for name in ("tower-defence", "navmesh", "sessions", "slow-reader")},
    ("load", "rts"): LOAD,
    ("load", "mmo"): MMO,
    ("load", "queries"): QUERIES,
    ("load", "storm"): STORM,
    ("load", "compare"): Command(lambda at: [at.file("before.json"), at.file("after.json")],
                                 kinds=frozenset({"grid"}), world="none"),
    ("load", "ceiling"): Command(
        lambda at: ["--pairs", "1", "--seconds", "0.1", "--agents", "50"],
        {name: option(tried_on=frozenset()) for name in ("--repathd", "--bare", "--concurrency", "--with-cert", "--with-key", "--with-tokens")},
        kinds=frozenset({"grid"}), world="none"),
    ("load", "many-worlds"): Command(lambda at: ["--worlds", "20", "--in-use", "5", "--changes", "3"],
                                     {name: option(tried_on=frozenset()) for name in ("--repathd", "--folder")},
                                     kinds=frozenset({"grid"}), world="none"),
    ("load", "footprint"): Command(lambda at: ["--percent", "1"], {"--repathd": option(tried_on=frozenset())},
                                   kinds=frozenset({"grid"}), world="none"),
}
