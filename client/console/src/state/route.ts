// The view that the page shows, and its address. The browser's back button works.
import { signal } from '@preact/signals';
import { empty, parse, print, type Route } from './address';

export const route = signal<Route>(parse(location.hash));
let writing = 0;

addEventListener('hashchange', () => {
  if (location.hash !== print(route.value)) route.value = parse(location.hash);
});

// Goes to another page: an entry in the history.
export function go(change: Partial<Route>): void {
  route.value = { ...empty, ...change };
  location.hash = print(route.value);
}

// Changes the view of this page. The address follows a moment later, without an entry in the history. An open verdict is that of the
// agent that is selected.
export function turn(change: Partial<Route>): void {
  const other = change.select !== undefined && change.select !== route.value.select;
  route.value = { ...route.value, ...(other && { why: '' }), ...change };
  clearTimeout(writing);
  writing = window.setTimeout(() => history.replaceState(null, '', print(route.value)), 200);
}
