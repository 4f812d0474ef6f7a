// The card over the map that says what a draft would do.
import { useEffect, useRef } from 'preact/hooks';
import { WorldService } from '../../gen/repath/v1/world_pb';
import { applyCommand, curl } from '../edit/command';
import type { Draft } from '../edit/draft';
import { turn } from '../state/route';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { NumberField } from '../ui/number_field';
import { sentence } from '../ui/shell';
import { count } from '../ui/text';

export function DraftCard({ context }: { context: WorldContext }) {
  const { editor } = context;
  const draft = editor.draft.value;
  const card = useRef<HTMLDivElement>(null);
  // Enter and Esc are the draft's, also if a button outside of the map proposed it.
  useEffect(() => {
    const at = document.activeElement;
    if (!card.current?.contains(at) && !at?.matches('.map canvas')) card.current?.focus();
  }, [draft?.title]);
  if (!draft) return null;
  return (
    <div class="draft" role="dialog" aria-label="Dry run" tabIndex={-1} ref={card}>
      <div class="draft-head">
        <b>{draft.title}</b>
        {draft.drawn !== undefined && <EffectChoice context={context} />}
      </div>
      <Consequences draft={draft} hasAgents={context.model.agents.rows.size > 0} />
      {context.access.noWrite.value && <p class="bad-text">{context.access.noWrite.value}</p>}
      <div class="draft-foot">
        <button class="main" disabled={draft.error !== undefined || draft.busy || context.access.noWrite.value !== ''} onClick={() => void editor.apply()}>
          Apply <kbd>Enter</kbd>
        </button>
        <button onClick={() => editor.discard()}>
          Discard <kbd>Esc</kbd>
        </button>
        <span class="grow" />
        <Copy label="repath" text={() => applyCommand(context.name, draft.batch)} />
        <Copy label="curl" text={() => curl(WorldService.method.applyChanges, { world: context.name, batch: draft.batch })} />
      </div>
    </div>
  );
}

function EffectChoice({ context }: { context: WorldContext }) {
  const { editor } = context;
  const effect = editor.effect.value;
  return (
    <span class="effect">
      <select
        aria-label="Effect of the obstacle"
        value={effect.kind}
        onChange={(event) => editor.setEffect({ ...effect, kind: event.currentTarget.value as 'blocked' | 'cost' })}
      >
        <option value="blocked">blocks</option>
        <option value="cost">makes dearer</option>
      </select>
      {effect.kind === 'cost' && (
        <NumberField label="Cost factor" min={1} max={1000} step={0.5} value={effect.factor} onNumber={(factor) => editor.setEffect({ ...effect, factor })} />
      )}
    </span>
  );
}

function Consequences({ draft, hasAgents }: { draft: Draft; hasAgents: boolean }) {
  if (draft.error) {
    return (
      <p class="bad-text">
        {sentence(draft.error.message)} <code>{draft.error.reason}</code>
      </p>
    );
  }
  if (!draft.dry) return <p class="faint">Asking the server what this would do…</p>;
  const { affectedAgents, cutOffAgents, changedEdges } = draft.dry;
  if (!hasAgents) {
    return (
      <p>
        <b class="ok">No agent uses this ground.</b> <span class="faint">The world has none. {count(changedEdges)} edges change.</span>
      </p>
    );
  }
  return (
    <>
      <p>
        {cutOffAgents.length > 0 ? (
          <b class="hot">
            {count(cutOffAgents.length)} {cutOffAgents.length === 1 ? 'agent' : 'agents'} would be cut off.
          </b>
        ) : (
          <b class="ok">No agent would be cut off.</b>
        )}{' '}
        {affectedAgents.length === 0 ? 'No path is concerned.' : `${count(affectedAgents.length)} ${affectedAgents.length === 1 ? 'path is' : 'paths are'} concerned.`}{' '}
        <span class="faint">{count(changedEdges)} edges change.</span>
      </p>
      {(cutOffAgents.length > 0 || affectedAgents.length > 0) && (
        <p class="ids">
          {[...cutOffAgents, ...affectedAgents.filter((id) => !cutOffAgents.includes(id))].slice(0, 14).map((id) => (
            <button key={String(id)} class={cutOffAgents.includes(id) ? 'cut' : ''} onClick={() => turn({ select: `agent ${id}`, tab: 'inspect' })}>
              {String(id)}
            </button>
          ))}
        </p>
      )}
    </>
  );
}

const hints: Record<string, string> = {
  box: 'Drag a box. Hold Shift to pan.',
  disc: 'Drag from the centre outwards. Hold Shift to pan.',
  polygon: 'Click the corners. Enter or a double click ends the polygon.',
  wall: 'Drag from one end of the wall to the other. Hold Shift to pan.',
  agent: 'Drag from where the agent stands to its goal.',
  goal: 'Click the new goal of the selected agent.',
  search: 'Click the start, then the goal. Shift and a click add a goal.',
};

// Says what the tool does, what went wrong, and what can be taken back.
export function Hint({ context }: { context: WorldContext }) {
  const { editor } = context;
  const tool = context.tool.value;
  const last = editor.undos.value.at(-1);
  const error = editor.trouble.value;
  if (editor.draft.value || (tool === 'select' && !last && !error)) return null;
  const hint = tool === 'goal' && !context.selectedAgent.value ? 'Click an agent, then its new goal.' : hints[tool];
  return (
    <div class="hint" role="status">
      {error && <span class="bad-text">{sentence(error.message)}</span>}
      {!error && hint && <span>{hint}</span>}
      {last && (
        <button class="quiet" title="Ctrl+Z" onClick={() => void editor.undo()}>
          <Icon name="undo" /> Undo: {last.title}
        </button>
      )}
    </div>
  );
}
