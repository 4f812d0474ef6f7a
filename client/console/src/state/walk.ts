// How far an agent gets along its path that this page walks.
export interface Walking {
  path: Float32Array | undefined;
  leg: number; // Index of the waypoint that it goes to.
  rise: Float32Array | undefined; // Height of each waypoint, world units.
  at: [number, number];
  height: number;
}

// Walks on; false at the end of the path. Along a link it goes straight from one end to the other, upwards too.
export function walkOn(walker: Walking, distance: number): boolean {
  const path = walker.path;
  if (!path || walker.leg * 2 >= path.length) return false;
  for (let rest = distance; rest > 0 && walker.leg * 2 < path.length; ) {
    const [x, y, height] = [path[walker.leg * 2]!, path[walker.leg * 2 + 1]!, walker.rise?.[walker.leg] ?? 0];
    const left = Math.hypot(x - walker.at[0], y - walker.at[1]);
    const isThere = left <= rest;
    const part = isThere ? 1 : rest / left;
    walker.at = [walker.at[0] + (x - walker.at[0]) * part, walker.at[1] + (y - walker.at[1]) * part];
    walker.height += (height - walker.height) * part;
    // On its way to a waypoint it has walked all of the distance. A remainder from rounding must not be walked: it may never become 0.
    if (!isThere) return true;
    ++walker.leg;
    rest -= left;
  }
  return true;
}
