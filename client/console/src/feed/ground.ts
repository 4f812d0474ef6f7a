// Turns the answers about ground into what the map draws.
import type { GetGroundResponse } from '../../gen/repath/v1/debug_pb';
import type { GetGraphResponse, TerrainTile } from '../../gen/repath/v1/read_back_pb';
import type { GraphGround, MeshGround } from '../raster/ground_pixels';
import type { Square } from './feed';

const side = 64;

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

export function meshOf(pages: GetGroundResponse[]): MeshGround {
  const counts = pages.flatMap((page) => page.cornerCounts);
  const corners = new Float64Array(counts.reduce((sum, count) => sum + count, 0) * 2);
  const heights = new Float32Array(counts.length);
  let [cell, left, at] = [0, counts[0] ?? 0, 0];
  for (const page of pages) {
    for (let i = 0; i < page.corners.length; i += 3) {
      corners[at++] = page.corners[i]!;
      corners[at++] = page.corners[i + 2]!;
      heights[cell]! += page.corners[i + 1]! / counts[cell]!;
      if (--left === 0) left = counts[++cell] ?? 0;
    }
  }
  const factors = pages.flatMap((page) => (page.factors.length ? page.factors : page.cornerCounts.map(() => 1)));
  return {
    counts: Uint32Array.from(counts),
    corners,
    heights,
    areas: Uint32Array.from(pages.flatMap((page) => page.areas)),
    factors: Float64Array.from(factors),
    links: pages.flatMap((page) =>
      page.links.map((link) => ({
        ends: [link.from?.x ?? 0, link.from?.z ?? 0, link.to?.x ?? 0, link.to?.z ?? 0],
        enabled: link.enabled,
        bothWays: link.bothWays,
      })),
    ),
  };
}

export function graphOf(pages: GetGraphResponse[]): { graph: GraphGround; ids: bigint[] } {
  const nodes = pages.flatMap((page) => page.nodes);
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const edges = pages.flatMap((page) => page.edges).filter((edge) => index.has(edge.from) && index.has(edge.to));
  return {
    ids: nodes.map((node) => node.id),
    graph: {
      nodes: Float64Array.from(nodes.flatMap((node) => [node.position?.x ?? 0, node.position?.z ?? 0])),
      disabledNodes: Uint8Array.from(nodes.map((node) => Number(node.disabled))),
      edges: Uint32Array.from(edges.flatMap((edge) => [index.get(edge.from)!, index.get(edge.to)!])),
      disabledEdges: Uint8Array.from(edges.map((edge) => Number(edge.disabled))),
    },
  };
}
