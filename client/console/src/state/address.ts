// The view as the address names it: which world, which part of it, which panel, what is selected. So a copied address
// shows the same.
import type { View } from '../raster/view';

export interface Route {
  world: string; // Empty: the list of worlds.
  find: string; // Part of the names in that list.
  tab: string;
  layer: string;
  hide: string; // Names of what is not drawn, such as 'agents,paths'.
  show: string; // Names of what is drawn beside the usual.
  floor: number; // Floor of a mesh; -1: all.
  profile: string; // The profile whose ground of a mesh is shown; empty: "default".
  select: string; // 'agent ID', 'obstacle ID' or empty.
  why: string; // The verdict of the selected agent that is open, see state/verdict.ts.
  follow: boolean;
  past: string; // The revision that the map shows; empty: the present.
  pace: number; // Revisions a second while the history plays.
  view: View | undefined;
  search: string; // A search to watch, see state/question.ts.
  step: number; // The step of the search that is shown; -1: it plays from the beginning.
  speed: number; // Steps a second while it plays, see state/search_state.ts.
  towers: string; // A tower whose places are shown, see state/placements.ts; empty: none are.
  verdicts: string; // 'all': those without a cause too.
}

export const empty: Route = {
  world: '',
  find: '',
  tab: 'overview',
  layer: 'terrain',
  hide: '',
  show: '',
  floor: -1,
  profile: '',
  select: '',
  why: '',
  follow: false,
  past: '',
  pace: 4,
  view: undefined,
  search: '',
  step: -1,
  speed: 0,
  towers: '',
  verdicts: '',
};

// In the order in which an address has them.
const texts = ['tab', 'layer', 'hide', 'show', 'profile', 'select', 'why', 'search', 'towers', 'verdicts'] as const;
const numbers = ['floor', 'pace', 'step', 'speed'] as const;

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
  const route = { ...empty };
  const asked = new URLSearchParams(query);
  if (parts[0] === '') route.find = asked.get('find') ?? '';
  if (parts[0] !== 'world' || !parts[1]) return route;
  route.world = decoded(parts[1]);
  for (const name of texts) route[name] = asked.get(name) ?? empty[name];
  for (const name of numbers) {
    const value = Number(asked.get(name) || NaN);
    if (value >= 0 && Number.isFinite(value)) route[name] = value;
  }
  route.pace ||= empty.pace;
  route.follow = asked.get('follow') === '1';
  route.past = /^\d{1,20}$/.test(asked.get('past') ?? '') ? asked.get('past')! : '';
  const at = (asked.get('at') ?? '').split(',').map(Number);
  const whole = at.length === 3 && at.every(Number.isFinite) && at[2]! > 0;
  if (whole) route.view = { x: at[0]!, y: at[1]!, scale: at[2]! };
  return route;
}

export function print(route: Route): string {
  if (!route.world) return route.find ? `#/?${new URLSearchParams({ find: route.find })}` : '#/';
  const asked = new URLSearchParams();
  for (const name of texts) if (route[name] !== empty[name]) asked.set(name, route[name]);
  for (const name of numbers) if (route[name] !== empty[name]) asked.set(name, String(route[name]));
  if (route.follow) asked.set('follow', '1');
  if (route.past) asked.set('past', route.past);
  const { view } = route;
  if (view) asked.set('at', [view.x.toFixed(2), view.y.toFixed(2), view.scale.toPrecision(4)].join(','));
  const query = asked.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3B', ';');
  return `#/world/${encodeURIComponent(route.world)}${query ? `?${query}` : ''}`;
}
