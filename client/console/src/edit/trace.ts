// A search as a trace for Posthoc, format 1.4: what `repath path explain --export` writes.
import type { Film } from '../raster/film_pixels';

function number(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return String(+value.toPrecision(9));
}

function head(film: Film): string {
  const view = film.grid ? '    - $: rect\n      width: 1\n      height: 1\n' : '    - $: circle\n      radius: 0.5\n';
  const middle = film.grid ? ' + 0.5' : '';
  return (
    `version: 1.4.0\n\nviews:\n  main:\n${view}      x: \${{ $.x }}\n      y: \${{ $.y }}\n      fill: \${{ color[$.type] }}\n\n` +
    `pivot:\n  x: \${{ $.x${middle} }}\n  y: \${{ $.y${middle} }}\n  scale: 1\n\nevents:`
  );
}

// The node in which the path ends: of several at one place the one expanded last, or else the last one.
// A search may not say in which order it went: then none.
function nodeAtEnd(film: Film): number | undefined {
  if (film.path.length < 2 || film.order.length === 0) return undefined;
  const [x, y] = [film.path[film.path.length - 2]!, film.path[film.path.length - 1]!];
  const isThere = (node: number) => Math.hypot(film.points[node * 2]! - x, film.points[node * 2 + 1]! - y) < 1e-3;
  const all = [...Array(film.parents.length).keys()];
  return [...film.order].reverse().find(isThere) ?? all.reverse().find(isThere);
}

export function traceOf(film: Film): string {
  const shift = film.grid ? 0.5 : 0;
  const parts = [head(film)];
  const end = (type: string, [x, y]: [number, number]) => parts.push(`\n  - {type: ${type}, id: ${type}, x: ${number(x - shift)}, y: ${number(y - shift)}}`);
  const event = (type: string, node: number) => {
    const [g, h] = [film.g[node]!, film.h[node] ?? 0];
    const at = `x: ${number(film.points[node * 2]! - shift)}, y: ${number(film.points[node * 2 + 1]! - shift)}`;
    parts.push(`\n  - {type: ${type}, id: ${node + 1}, pId: ${film.parents[node] || 'null'}, g: ${number(g)}, h: ${number(h)}, f: ${number(g + h)}, ${at}}`);
  };
  const children = new Map<number, number[]>();
  film.parents.forEach((parent, node) => parent && children.set(parent - 1, [...(children.get(parent - 1) ?? []), node]));
  const generated = new Set<number>();
  end('source', film.start);
  for (const goal of film.goals) end('destination', goal);
  for (const node of film.order) {
    event('expanding', node);
    for (const child of children.get(node) ?? []) {
      if (!generated.has(child)) event('generating', child);
      generated.add(child);
    }
    event('closing', node);
  }
  const last = nodeAtEnd(film);
  if (last !== undefined) event('end', last);
  return parts.join('') + '\n';
}
