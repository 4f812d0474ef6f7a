// Messages from the page to the worker that draws. Each message but `open` is about a surface opened before.
import type { Film } from './film_pixels';
import type { GridObstacle, TerrainLook } from './grid';
import type { GraphGround, MeshGround } from './ground_pixels';
import type { Placements } from './placement_pixels';
import type { Probed } from './probe';
import type { Layers, Mark } from './scene';
import type { View } from './view';

export type ToSurface =
  | { kind: 'close' }
  // `ratio`: pixels of the canvas for one of the page.
  | { kind: 'size'; width: number; height: number; ratio: number }
  | { kind: 'view'; view: View }
  | { kind: 'theme'; theme: 'light' | 'dark' }
  | { kind: 'layers'; layers: Layers }
  | { kind: 'grid'; width: number; height: number; hex: boolean; looks: TerrainLook[] }
  | { kind: 'tiles'; tiles: { column: number; row: number; terrain: Uint8Array }[] }
  | { kind: 'overlays'; overlays: { column: number; row: number; levels: Uint8Array }[]; reset: boolean }
  | { kind: 'mesh'; mesh: MeshGround }
  | { kind: 'graph'; graph: GraphGround }
  | { kind: 'obstacles'; put: GridObstacle[]; removed: string[]; reset: boolean }
  // `everyMs` is the time until the next positions are expected; an agent that moved more than `jump` does not glide.
  | { kind: 'agents'; at: Float32Array; states: Uint8Array; waiting: Uint8Array; everyMs: number; jump: number }
  | { kind: 'states'; states: Uint8Array }
  | { kind: 'paths'; paths: { slot: number; line: Float32Array | undefined }[]; reset: boolean }
  | { kind: 'marks'; marks: Mark[] }
  | { kind: 'placements'; placements: Placements | undefined }
  | { kind: 'selected'; slot: number }
  | { kind: 'film'; film: Film | undefined; at: number }
  | { kind: 'filmAt'; at: number }
  // Asks what is shown at a place; the answer is `probed`.
  | { kind: 'probe'; x: number; y: number; reach: number };

export type ToRaster = ({ surface: number } & ToSurface) | { kind: 'open'; surface: number; canvas: OffscreenCanvas; first: number | undefined };

// `ready` once, when the worker runs. Then once a second for each surface: frames drawn since, and their mean time.
export type FromRaster =
  | { kind: 'ready' }
  | { kind: 'probed'; surface: number; probed: Probed }
  | { kind: 'speed'; surface: number; frames: number; drawMs: number };
