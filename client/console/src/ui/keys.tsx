// The list of keys, shown by `?`.
import { signal } from '@preact/signals';

export const keysShown = signal(false);

const keys: [string, string][] = [
  ['V', 'select and pan'],
  ['B  C  P  W', 'draw a box, circle, polygon, wall'],
  ['A', 'place an agent'],
  ['G', 'give the selected agent a goal'],
  ['S', 'watch a search: start, then goal'],
  ['Enter', 'apply the draft, end the polygon'],
  ['Esc', 'discard, leave the tool, deselect'],
  ['Ctrl Z', 'undo'],
  ['Delete', 'remove what is selected'],
  ['Arrows  +  -', 'move, zoom'],
  ['0', 'show all'],
  ['I', 'read out the middle of the map'],
  ['F', 'follow the selected agent'],
  ['Space  ,  .', 'play a search, step back, step on'],
  ['Shift', 'held while drawing: pan'],
];

export function Keys() {
  if (!keysShown.value) return null;
  return (
    <div class="veil" onClick={() => (keysShown.value = false)}>
      <div class="sheet" role="dialog" aria-label="Keys">
        <h2>Keys</h2>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                {key.split('  ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
