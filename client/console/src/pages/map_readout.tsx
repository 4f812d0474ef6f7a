// Shows what is at a place of the map, and how fast the map is drawn.
import { drawnOf } from '../feed/convert';
import { filmLines, linesOf, type Facts } from '../state/readout';
import type { WorldContext } from '../state/world_context';

const sameMost = 1e-2; // A search has the places of nodes in single precision.

function factsOf({ model, layers }: WorldContext): Facts {
  const world = model.meta.value;
  const { floor } = layers.value;
  const effectOf = (id: string) => {
    const obstacle = model.shown.obstacles.get(BigInt(id));
    const drawn = obstacle && drawnOf(obstacle, model.unit);
    if (!obstacle || !drawn) return '';
    if (drawn.disabled) return 'is open';
    return drawn.effect === 'blocked' ? 'blocks' : obstacle.effect.case === 'area' ? `is area ${obstacle.effect.value}` : `costs × ${drawn.factor}`;
  };
  return {
    kind: world?.kind ?? 'grid',
    terrain: world?.terrainClasses ?? [],
    nodes: model.graph?.ids ?? [],
    nodeAt: ([x, y]) => {
      const { ids, ground } = model.graph ?? {};
      return ids?.find((_, i) => Math.abs(ground!.nodes[i * 2]! - x) + Math.abs(ground!.nodes[i * 2 + 1]! - y) < sameMost);
    },
    floor: floor < 0 || model.floors.value < 2 ? '' : `floor ${floor}`,
    effectOf,
  };
}

// Lines about the place; with two searches side by side those of both.
function Place({ context }: { context: WorldContext }) {
  const probed = context.surface.probed.value;
  if (!probed) return null;
  const { model, search, layers } = context;
  void model.agentsTurn.value;
  const facts = factsOf(context);
  const isNow = layers.value.agents && !model.shownPast.value;
  const row = isNow ? model.agents.nearest(...probed.at, Math.max(0.45, 9 / context.view.value.scale)) : undefined;
  const second = search.second.value?.probed.value;
  const films = [probed.film, second?.film];
  return (
    <div class="readout place" role={context.middleRead.value ? 'status' : undefined}>
      {linesOf(probed, facts, row?.id).map((line, i) => (
        <span key={i}>{i === 0 ? <b>{line}</b> : line}</span>
      ))}
      {films.map((node, i) =>
        node
          ? filmLines(node, facts).map((line, k) => (
              <span key={`${i} ${k}`}>
                {second && k === 0 && <small>{i === 0 ? 'left ' : 'right '}</small>}
                {line}
              </span>
            ))
          : null,
      )}
    </div>
  );
}

export function Readout({ context }: { context: WorldContext }) {
  const { frames, drawMs } = context.surface.speed.value;
  return (
    <>
      <Place context={context} />
      <div class="readout numbers">
        <span>{context.view.value.scale.toFixed(context.view.value.scale < 10 ? 2 : 0)} px</span>
        <span title="Frames drawn in the last second, and the time of one">
          {frames} frames/s{frames > 0 && ` · ${drawMs.toFixed(1)} ms`}
        </span>
      </div>
    </>
  );
}
