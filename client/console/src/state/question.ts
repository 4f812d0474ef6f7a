// The question of a search that is watched, and its form in an address.
//
// START:GOALS, then the options of the question if there are any, then one or two ways to search, with colons between. An example:
// 4.5,4.5:60.5,20.5;60.5,3.5:q,r2,partial:3,0,1.5,0,pcart,t1. Old addresses have nothing behind the four numbers of a way.
import { Algorithm, Heuristic, Smoothing } from '../../gen/repath/v1/query_pb';

export interface Way {
  algorithm: Algorithm;
  heuristic: Heuristic;
  weight: number; // 0: the default, as in all that follow.
  turnPenalty: number;
  profile: string; // Empty: "default".
  team: number;
  smoothing: Smoothing;
  maxExpansions: number;
  memoryLimitBytes: number;
  clusterSide: number;
  clusterLevels: number;
}

export type Place = [x: number, y: number, height: number]; // The height in world units; 0 on grids.

export const goalsMost = 64;

export interface Question {
  from: Place;
  goals: Place[]; // The path leads to the one that is cheapest to reach.
  goalRadius: number; // World units.
  allowPartial: boolean;
  snapStart: boolean;
}

export const plain: Way = {
  algorithm: Algorithm.UNSPECIFIED,
  heuristic: Heuristic.UNSPECIFIED,
  weight: 0,
  turnPenalty: 0,
  profile: '',
  team: 0,
  smoothing: Smoothing.UNSPECIFIED,
  maxExpansions: 0,
  memoryLimitBytes: 0,
  clusterSide: 0,
  clusterLevels: 0,
};

export const plainQuestion = { goalRadius: 0, allowPartial: false, snapStart: false };

// Searches that take a heuristic; a weight makes sense for A* alone.
export const guided = new Set([Algorithm.UNSPECIFIED, Algorithm.ASTAR, Algorithm.LPA, Algorithm.FRINGE, Algorithm.IDA_STAR, Algorithm.SMA_STAR]);
export const weighted = new Set([Algorithm.UNSPECIFIED, Algorithm.ASTAR]);
export const limited = new Set([Algorithm.IDA_STAR, Algorithm.SMA_STAR, Algorithm.FLOYD_WARSHALL]);

const letters = { n: 'maxExpansions', m: 'memoryLimitBytes', t: 'team', s: 'smoothing', c: 'clusterSide', l: 'clusterLevels' } as const;

function printWay(way: Way): string {
  const parts: (string | number)[] = [way.algorithm, way.heuristic, way.weight, way.turnPenalty];
  for (const [letter, name] of Object.entries(letters)) if (way[name]) parts.push(letter + way[name]);
  if (way.profile) parts.push(`p${way.profile}`);
  return parts.join(',');
}

function parseWay(text: string): Way | undefined {
  const parts = text.split(',');
  const [algorithm, heuristic, weight, turnPenalty] = parts.slice(0, 4).map(Number);
  const way: Way = { ...plain, algorithm: algorithm ?? 0, heuristic: heuristic ?? 0, weight: weight ?? 0, turnPenalty: turnPenalty ?? 0 };
  if (parts.slice(0, 4).some((part) => !Number.isFinite(Number(part)))) return undefined;
  for (const part of parts.slice(4)) {
    const name = letters[part[0] as keyof typeof letters];
    const value = Number(part.slice(1));
    if (name && value >= 0 && Number.isFinite(value)) way[name] = Math.floor(value);
    if (part[0] === 'p') way.profile = part.slice(1);
  }
  return consistent(way);
}

function printOptions({ goalRadius, allowPartial, snapStart }: Question): string {
  const parts = [goalRadius ? `r${goalRadius}` : '', allowPartial ? 'partial' : '', snapStart ? 'snap' : ''].filter(Boolean);
  return parts.length > 0 ? `q,${parts.join(',')}` : '';
}

export function print(question: Question | undefined, ways: Way[]): string {
  if (!question) return '';
  const place = ([x, y, height]: Place) => [x, y, ...(height ? [height] : [])].map((value) => +value.toFixed(2)).join(',');
  const ends = [place(question.from), question.goals.map(place).join(';')];
  return [...ends, printOptions(question), ...ways.map(printWay)].filter(Boolean).join(':');
}

function parsePlace(text: string): Place | undefined {
  const place = text.split(',').map(Number);
  return (place.length === 2 || place.length === 3) && place.every(Number.isFinite) ? [place[0]!, place[1]!, place[2] ?? 0] : undefined;
}

export function parse(text: string): { question: Question; ways: Way[] } | undefined {
  const [start = '', ends = '', ...rest] = text.split(':');
  const from = parsePlace(start);
  const goals = ends.split(';').slice(0, goalsMost).map(parsePlace);
  const options = rest[0]?.startsWith('q') ? rest.shift()!.split(',') : [];
  const ways = rest.slice(0, 2).map(parseWay);
  if (!from || goals.some((goal) => !goal) || ways.some((way) => !way)) return undefined;
  return {
    question: {
      from,
      goals: goals as Place[],
      goalRadius: Math.max(0, Number(options.find((part) => part[0] === 'r')?.slice(1)) || 0),
      allowPartial: options.includes('partial'),
      snapStart: options.includes('snap'),
    },
    ways: ways as Way[],
  };
}

// The way without what its algorithm does not take.
export function consistent(way: Way): Way {
  const { algorithm } = way;
  const next = { ...way };
  if (!guided.has(algorithm)) next.heuristic = Heuristic.UNSPECIFIED;
  if (!weighted.has(algorithm)) [next.weight, next.turnPenalty] = [0, 0];
  if (!limited.has(algorithm)) next.memoryLimitBytes = 0;
  if (algorithm !== Algorithm.HPA) [next.clusterSide, next.clusterLevels] = [0, 0];
  return next;
}
