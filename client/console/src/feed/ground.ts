// Turns the answers about ground into what the map draws.
import type { ChangeBatch } from '../../gen/repath/v1/changes_pb';
import type { GetGroundResponse } from '../../gen/repath/v1/debug_pb';
import type { GetGraphResponse, TerrainTile } from '../../gen/repath/v1/read_back_pb';
import type { GraphGround, MeshGround } from '../raster/ground_pixels';
import type { Overlay, Square } from './feed';

const side = 64;

// Whether a batch changes the ground of a world of that kind. The obstacles of a grid lie on it; those of a mesh cut it.
export function changesGround(kind: string, batch: ChangeBatch | undefined): boolean {
  if (!batch) return false;
  if (kind === 'grid') return batch.terrainEdits.length + batch.influenceEdits.length + batch.decayInfluence.length + batch.fogEdits.length > 0;
  if (kind === 'graph') return batch.graphEdits.length > 0;
  return batch.upsertObstacles.length + batch.removeObstacles.length + batch.switchObstacles.length + batch.switchLinks.length > 0;
}

// A square as 64 x 64 bytes; those at the right and lower border of the map are sent smaller.
export function squareOf(tile: TerrainTile): Square {
  const place = { column: tile.x / side, row: tile.y / side };
  if (tile.terrain.length === 1 || (tile.width === side && tile.height === side)) return { ...place, terrain: tile.terrain.slice() };
  const terrain = new Uint8Array(side * side);
  for (let y = 0; y < tile.height; ++y) {
    terrain.set(tile.terrain.subarray(y * tile.width, (y + 1) * tile.width), y * side);
  }
  return { ...place, terrain };
}

const fogLayer = 16;
const hidden = 255;
const dearest = Math.log(1000);

// The planes of a team on a square as one: factors multiply, and fog hides them.
export function overlayOf(tile: TerrainTile): Overlay {
  const place = { column: tile.x / side, row: tile.y / side };
  if (tile.planes.length === 0) return { ...place, levels: new Uint8Array(0) };
  const levels = new Uint8Array(side * side);
  for (let y = 0; y < tile.height; ++y) {
    for (let x = 0; x < tile.width; ++x) levels[y * side + x] = levelOf(tile, y * tile.width + x);
  }
  return { ...place, levels };
}

function levelOf(tile: TerrainTile, cell: number): number {
  let factor = 1;
  for (const { layer, levels } of tile.planes) {
    const at = levels.length === 2 ? 0 : cell * 2;
    const level = levels[at]! | (levels[at + 1]! << 8);
    if (layer === fogLayer && level) return hidden;
    if (layer !== fogLayer) factor *= 1 + level / 64;
  }
  return factor > 1 ? Math.max(1, Math.min(hidden - 1, Math.round((Math.log(factor) / dearest) * (hidden - 1)))) : 0;
}

// Cells that lie one above the other, in world units of height, belong to different floors.
const floorHeight = 1.5;

interface Cell {
  corners: number[]; // x and y one after the other.
  heights: number[]; // Of each corner.
  height: number; // The mean of its corners.
  area: number;
  factor: number;
}

function cellsOf(page: GetGroundResponse): Cell[] {
  let at = 0;
  return page.cornerCounts.map((count, i) => {
    const cell: Cell = { corners: [], heights: [], height: 0, area: page.areas[i] ?? 0, factor: page.factors[i] ?? 1 };
    for (let corner = 0; corner < count; ++corner, at += 3) {
      cell.corners.push(page.corners[at]!, page.corners[at + 2]!);
      cell.heights.push(page.corners[at + 1]!);
      cell.height += page.corners[at + 1]! / count;
    }
    return cell;
  });
}

// The ground of a mesh, low cells first, so that upper floors are drawn over lower ones.
export function meshOf(pages: GetGroundResponse[]): MeshGround {
  const cells = pages.flatMap(cellsOf).sort((a, b) => a.height - b.height);
  let floor = 0;
  const floors = cells.map((cell, i) => (i > 0 && cell.height - cells[i - 1]!.height > floorHeight ? ++floor : floor));
  return {
    counts: Uint32Array.from(cells, ({ corners }) => corners.length / 2),
    corners: Float64Array.from(cells.flatMap(({ corners }) => corners)),
    heights: Float32Array.from(cells, ({ height }) => height),
    cornerHeights: Float64Array.from(cells.flatMap(({ heights }) => heights)),
    areas: Uint32Array.from(cells, ({ area }) => area),
    factors: Float64Array.from(cells, ({ factor }) => factor),
    floors: Uint8Array.from(floors, (number) => Math.min(255, number)),
    links: pages.flatMap((page) =>
      page.links.map((link) => ({
        ends: [link.from?.x ?? 0, link.from?.z ?? 0, link.to?.x ?? 0, link.to?.z ?? 0],
        enabled: link.enabled,
        bothWays: link.bothWays,
      })),
    ),
  };
}

export function graphOf(pages: GetGraphResponse[]): { graph: GraphGround; ids: bigint[]; heights: number[] } {
  const nodes = pages.flatMap((page) => page.nodes);
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const edges = pages.flatMap((page) => page.edges).filter((edge) => index.has(edge.from) && index.has(edge.to));
  return {
    ids: nodes.map((node) => node.id),
    heights: nodes.map((node) => node.position?.y ?? 0),
    graph: {
      nodes: Float64Array.from(nodes.flatMap((node) => [node.position?.x ?? 0, node.position?.z ?? 0])),
      disabledNodes: Uint8Array.from(nodes.map((node) => Number(node.disabled))),
      edges: Uint32Array.from(edges.flatMap((edge) => [index.get(edge.from)!, index.get(edge.to)!])),
      disabledEdges: Uint8Array.from(edges.map((edge) => Number(edge.disabled))),
    },
  };
}
