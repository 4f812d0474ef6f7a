// One obstacle: what it is, and what can be done with it.
import { WorldService } from '../../gen/repath/v1/world_pb';
import type { Obstacle } from '../../gen/repath/v1/changes_pb';
import { applyCommand, curl } from '../edit/command';
import { describe } from '../edit/draft';
import { shapeOf } from '../feed/convert';
import { boundsOf } from '../raster/shape';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { Item } from './overview';

const kinds: Record<string, string> = { cells: 'Cells', box: 'Box', cylinder: 'Circle', polygon: 'Polygon', capsule: 'Wall' };

export function ObstacleCard({ context, obstacle }: { context: WorldContext; obstacle: Obstacle }) {
  const { model, editor } = context;
  const shape = shapeOf(obstacle.shape, model.unit);
  const bounds = shape && boundsOf(shape);
  const past = context.model.shownPast.value;
  const batch = { switchObstacles: [{ id: obstacle.id, enabled: obstacle.disabled }] };
  return (
    <>
      <h2 class="title">Obstacle {String(obstacle.id)}</h2>
      <div class="actions">
        <button class="main" disabled={past} onClick={() => editor.switchSelected()}>
          <Icon name="door" /> {obstacle.disabled ? 'Shut' : 'Open'}
        </button>
        <button onClick={() => context.showObstacle(obstacle.id)}>Show</button>
        <button class="danger" disabled={past} onClick={() => void editor.removeSelected()}>
          <Icon name="bin" /> Remove
        </button>
      </div>
      <dl class="figures">
        <Item name="State" value={obstacle.disabled ? 'open, without effect' : 'in effect'} />
        <Item name="Effect" value={obstacle.effect.case === 'blocked' ? 'blocks' : obstacle.effect.case === 'area' ? `area ${obstacle.effect.value}` : `cost × ${obstacle.effect.value}`} />
        <Item name="Teams" value={obstacle.teamMask ? `mask ${obstacle.teamMask.toString(2)}` : 'all'} />
        <Item name="Shape" value={kinds[obstacle.shape.case ?? ''] ?? '–'} />
        <Item name="Size" value={shape ? describe(shape, model.isGrid) : '–'} />
        <Item name="At" value={bounds ? `${+bounds.x0.toFixed(2)}, ${+bounds.y0.toFixed(2)}` : '–'} />
      </dl>
      <p class="faint pad">
        {past ? 'As it stood at the revision that the map shows. Go back to now to change it.' : 'Drag it on the map to move it. Each step is tried on the server before it is made.'}
      </p>
      <div class="actions">
        <Copy label={`repath: ${obstacle.disabled ? 'shut' : 'open'}`} text={() => applyCommand(context.name, batch)} />
        <Copy label="curl" text={() => curl(WorldService.method.applyChanges, { world: context.name, batch })} />
      </div>
    </>
  );
}
