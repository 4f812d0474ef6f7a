// The source of live data about one world. The rest of the console knows this interface only, so that another source can
// take the place of the one there is.
import type { Body, Obstacle } from '../../gen/repath/v1/changes_pb';
import type { GetStatsResponse } from '../../gen/repath/v1/debug_pb';
import type { EventBatch } from '../../gen/repath/v1/event_pb';
import type { Change, World } from '../../gen/repath/v1/world_pb';
import type { GraphGround, MeshGround } from '../raster/ground_pixels';
import type { RpcError } from '../wire/error';

export interface Square {
  column: number;
  row: number;
  terrain: Uint8Array; // One byte for each of 64 x 64 cells, or a single byte that holds for all of them.
}

// What one team has laid over a square: 0 nothing, up to 254 influence in logarithmic steps, 255 hidden by fog.
export interface Overlay {
  column: number;
  row: number;
  levels: Uint8Array; // One byte for each of 64 x 64 cells; empty: all are 0.
}

// Agents that are new or changed; `whole`: all there are.
export interface AgentsView {
  whole: boolean;
  ids: bigint[];
  at: Float32Array; // x and y of each, in cells on grids and in world units elsewhere.
  heights: Float32Array; // Height of each, in world units.
  outlooks: Uint8Array; // Outlook of each (debug.proto).
  waiting: Uint8Array;
  removed: bigint[];
  everyMs: number; // Time until the next view is expected.
  revision: bigint;
  settledRevision: bigint;
  waitingCount: bigint;
  lateCount: bigint;
}

export type FeedStatus =
  | { kind: 'loading'; what: string }
  | { kind: 'live' }
  // The connection stands, but nothing comes: the server does not get on.
  | { kind: 'slow' }
  // The connection is gone; the feed tries again by itself.
  | { kind: 'lost'; error: RpcError }
  // Trying again does not help before something else changes: no such world, a token is wanted.
  | { kind: 'refused'; error: RpcError };

export interface FeedSink {
  onStatus(status: FeedStatus): void;
  // First after each (re)start, and again whenever the figures are read.
  onWorld(world: World, fresh: boolean): void;
  onSquares(squares: Square[]): void;
  // `reset` with the first ones of a team.
  onOverlays(overlays: Overlay[], reset: boolean): void;
  onMesh(mesh: MeshGround): void;
  onGraph(graph: GraphGround, nodeIds: bigint[], heights: number[]): void;
  // Why the influence and fog of the team, or the ground of the profile, that was asked for are not shown; nothing: they are.
  onTeamTrouble(error: RpcError | undefined): void;
  // A page of what stands on the ground; `reset` with the first one.
  onObstacles(obstacles: Obstacle[], bodies: Body[], reset: boolean): void;
  // Where agents are and how their questions stand.
  onView(view: AgentsView): void;
  onVerdicts(batch: EventBatch): void;
  // Batches as they are committed, in order. The sink applies them to the obstacles; ground comes by itself.
  onChanges(changes: Change[]): void;
  onStats(stats: GetStatsResponse): void;
}

export interface Feed {
  start(): void;
  stop(): void;
  // Also brings the influence and the fog of a team of a grid, until another one is asked for.
  showTeam(team: number | undefined): void;
  // Brings the ground of a mesh as agents of a profile have it, until another one is asked for; empty: "default".
  showProfile(profile: string): void;
  // Brings the ground as it was at a revision, and keeps it until the present is asked for, by `undefined`. Obstacles of grids are not part
  // of the ground. Fails if the server no longer knows that revision; then the ground stays as it is.
  showPast(revision: bigint | undefined): Promise<void>;
}
