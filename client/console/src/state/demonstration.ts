// The demonstration world: a hall of six rooms with doors, and agents that walk to and fro between them.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { AgentService, type AgentSchema } from '../../gen/repath/v1/agent_pb';
import { WorldService } from '../../gen/repath/v1/world_pb';
import type { ObstacleInit } from '../feed/convert';
import { call } from '../wire/rpc';
import { walkFrom } from './walkers';

const width = 96;
const height = 54;
const agents = 48;
const wallColumns = [31, 64];
const wallRow = 27;
const doorSize = 3;

// Walls have ids from 1000 on, doors from 1 on. Each wall between two rooms has two doors.
function building(): ObstacleInit[] {
  const made: ObstacleInit[] = [];
  let door = 0;
  const put = (id: number, x0: number, y0: number, x1: number, y1: number, disabled: boolean) =>
    made.push({ id: BigInt(id), shape: { case: 'cells', value: { x0, y0, x1, y1 } }, effect: { case: 'blocked', value: true }, disabled });
  const wall = (upright: boolean, at: number, from: number, end: number) => {
    const long = end - from;
    const doors = [from + Math.floor(long * 0.25), from + Math.floor(long * 0.72)];
    let begin = from;
    for (const gap of [...doors, end]) {
      if (upright) put(1000 + made.length, at, begin, at + 1, gap, false);
      else put(1000 + made.length, begin, at, gap, at + 1, false);
      if (gap === end) break;
      const shut = ++door % 5 === 0;
      if (upright) put(door, at, gap, at + 1, gap + doorSize, !shut);
      else put(door, gap, at, gap + doorSize, at + 1, !shut);
      begin = gap + doorSize;
    }
  };
  for (const column of wallColumns) {
    wall(true, column, 0, wallRow);
    wall(true, column, wallRow + 1, height);
  }
  let from = 0;
  for (const end of [...wallColumns, width]) {
    wall(false, wallRow, from, end);
    from = end + 1;
  }
  for (const column of wallColumns) put(1000 + made.length, column, wallRow, column + 1, wallRow + 1, false);
  return made;
}

// A fixed sequence, so that the demonstration is the same each time.
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function people(): MessageInitShape<typeof AgentSchema>[] {
  const roll = dice(7);
  const rooms = [
    [2, 2],
    [35, 2],
    [68, 2],
    [2, 31],
    [35, 31],
    [68, 31],
  ] as const;
  const spot = (room: number) => {
    const [x, y] = rooms[room]!;
    return { place: { case: 'cell' as const, value: { x: x + roll(26), y: y + roll(20) } } };
  };
  return Array.from({ length: agents }, (_, index) => {
    const home = index % 6;
    const away = (home + 1 + roll(5)) % 6;
    return { id: BigInt(index + 1), position: spot(home), goals: [spot(away)], snapStart: true, maxStalenessMs: 500 };
  });
}

// Makes the world under a name that is free. Returns the name.
export async function makeDemonstration(taken: string[]): Promise<string> {
  let name = 'demo';
  for (let n = 2; taken.includes(name); ++n) name = `demo-${n}`;
  await call(WorldService.method.createWorld, { name, width, height });
  await call(WorldService.method.applyChanges, { world: name, batch: { upsertObstacles: building() }, requestId: `${name}-building` });
  await call(AgentService.method.upsertAgents, { world: name, agents: people() });
  walkFrom(name);
  return name;
}
