// The view as the address names it: which world, which part of it, which panel, what is selected. So a copied address
// shows the same.
import type { View } from '../raster/view';

export interface Route {
  world: string; // Empty: the list of worlds.
  tab: string;
  layer: string;
  select: string; // 'agent ID', 'obstacle ID' or empty.
  follow: boolean;
  view: View | undefined;
  search: string; // A search to watch, see state/search_state.ts.
  towers: string; // A tower whose places are shown, see state/placements.ts; empty: none are.
}

export const empty: Route = { world: '', tab: 'overview', layer: 'terrain', select: '', follow: false, view: undefined, search: '', towers: '' };

// The text behind a part of an address; the part as it is if it is none that the page writes.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/');
  if (parts[0] !== 'world' || !parts[1]) return { ...empty };
  const asked = new URLSearchParams(query);
  const at = (asked.get('at') ?? '').split(',').map(Number);
  const whole = at.length === 3 && at.every(Number.isFinite) && at[2]! > 0;
  return {
    world: decoded(parts[1]),
    tab: asked.get('tab') ?? empty.tab,
    layer: asked.get('layer') ?? empty.layer,
    select: asked.get('select') ?? '',
    follow: asked.get('follow') === '1',
    view: whole ? { x: at[0]!, y: at[1]!, scale: at[2]! } : undefined,
    search: asked.get('search') ?? '',
    towers: asked.get('towers') ?? '',
  };
}

export function print(route: Route): string {
  if (!route.world) return '#/';
  const asked = new URLSearchParams();
  if (route.tab !== empty.tab) asked.set('tab', route.tab);
  if (route.layer !== empty.layer) asked.set('layer', route.layer);
  if (route.select) asked.set('select', route.select);
  if (route.follow) asked.set('follow', '1');
  if (route.search) asked.set('search', route.search);
  if (route.towers) asked.set('towers', route.towers);
  const { view } = route;
  if (view) asked.set('at', [view.x.toFixed(2), view.y.toFixed(2), view.scale.toPrecision(4)].join(','));
  const query = asked.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#/world/${encodeURIComponent(route.world)}${query ? `?${query}` : ''}`;
}
