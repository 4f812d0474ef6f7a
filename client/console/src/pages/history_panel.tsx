// The history of a world: its batches, and the map as it was at any of them.
import { useEffect, useState } from 'preact/hooks';
import { WorldService, type Change } from '../../gen/repath/v1/world_pb';
import { applyCommand, curl } from '../edit/command';
import { go, route, turn } from '../state/route';
import { summary } from '../state/replay';
import type { WorldContext } from '../state/world_context';
import { Copy } from '../ui/copy';
import { Icon } from '../ui/icon';
import { NumberField } from '../ui/number_field';
import { sentence } from '../ui/shell';
import { errorOf } from '../wire/error';
import { ago, count } from '../ui/text';

const rowsShown = 300;

export function HistoryPanel({ context }: { context: WorldContext }) {
  const { history, model } = context;
  const revision = model.meta.value?.revision;
  const epoch = model.epoch.value;
  useEffect(() => void history.load(), [revision, epoch]);
  useEffect(() => () => history.pause(), []);
  const changes = history.changes.value;
  const past = history.past.value;
  const error = history.error.value;
  const shown = changes.find((change) => change.revision === past);
  return (
    <>
      {error && <p class="bad-text pad">{sentence(error.message)}</p>}
      {changes.length === 0 && !error && (
        <p class="faint pad">
          No change has been made yet. Draw an obstacle, or:
          <code class="block">repath world apply {context.name} --id 1 --block 4,2,5,3</code>
        </p>
      )}
      {changes.length > 0 && (
        <>
          <Player context={context} />
          <p class="pad faint">
            {past === undefined
              ? 'The map shows the present. Move the slider to see the world at an older revision.'
              : `The map shows the world at revision ${count(past)}.${history.isReading.value ? ' Its ground is being read.' : ''}`}
          </p>
          {past !== undefined && <AgentsThen context={context} />}
          {past !== undefined && history.groundError.value && (
            <p class="bad-text pad">The ground is not that of this revision. {sentence(history.groundError.value.message)}</p>
          )}
          {history.doubtful > 0 && <Missing context={context} />}
          <div class="actions">
            <Fork context={context} />
            {shown && <Chosen context={context} change={shown} />}
          </div>
          <Rows context={context} changes={changes} />
        </>
      )}
    </>
  );
}

function Player({ context: { history } }: { context: WorldContext }) {
  const at = history.past.value ?? history.last;
  const button = (icon: string, title: string, act: () => void) => (
    <button class="icon" title={title} aria-label={title} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <div class="player">
        {button('first', 'To the oldest revision', () => (history.pause(), history.show(history.first)))}
        {button('back', 'A revision back', () => history.step(-1))}
        {button(history.playing.value ? 'pause' : 'play', history.playing.value ? 'Pause' : 'Play', () => history.play())}
        {button('next', 'A revision on', () => history.step(1))}
        <span class="pace">
          <NumberField short label="Revisions a second" min={0.1} max={100_000} value={route.value.pace} onNumber={(pace) => turn({ pace })} />
          /s
        </span>
        <button class={history.past.value === undefined ? '' : 'main'} disabled={history.past.value === undefined} onClick={() => history.live()}>
          Now
        </button>
        <span class="clock">{count(at)}</span>
      </div>
      <label class="slide">
        <input
          type="range"
          aria-label="Revision shown"
          min={Number(history.first)}
          max={Number(history.last)}
          value={Number(at)}
          onInput={(event) => (history.pause(), history.show(BigInt(event.currentTarget.valueAsNumber)))}
        />
      </label>
    </>
  );
}

// Which agents the map shows, and why not the others.
function AgentsThen({ context }: { context: WorldContext }) {
  const { shown, unknown, left } = context.history.agents.counts.value;
  if (shown + unknown + left === 0) return null;
  return (
    <p class="pad faint">
      {shown > 0 && `${count(shown)} ${shown === 1 ? 'agent stands where its' : 'agents stand where their'} latest verdict up to then found ${shown === 1 ? 'it' : 'them'}; positions between verdicts are not kept. `}
      {unknown > 0 && `${count(unknown)} ${unknown === 1 ? 'has' : 'have'} no verdict up to then, or none that is still kept (the latest 64 of each). `}
      {left > 0 && `${count(left)} more were not asked about.`}
    </p>
  );
}

function Chosen({ context, change }: { context: WorldContext; change: Change }) {
  const startRevision = change.revision;
  return (
    <>
      <Copy label="repath: make it again" text={() => applyCommand(context.name, change.batch!)} />
      <Copy label="curl" text={() => curl(WorldService.method.readChanges, { world: context.name, startRevision, pageSize: 1 })} />
    </>
  );
}

function Missing({ context: { history } }: { context: WorldContext }) {
  const error = history.baseError.value;
  if (!error) return <p class="faint pad">Reading what stood at this revision…</p>;
  const { doubtful } = history;
  return (
    <p class="bad-text pad">
      The server can no longer tell what stood at this revision: {count(doubtful)} {doubtful === 1 ? 'obstacle' : 'obstacles'} that later batches
      change may be missing or wrong on the map. {sentence(error.message)}
    </p>
  );
}

function Fork({ context }: { context: WorldContext }) {
  const { history } = context;
  const [error, setError] = useState('');
  const fork = async () => {
    try {
      go({ world: await history.fork() });
    } catch (thrown) {
      setError(errorOf(thrown).message);
    }
  };
  return (
    <>
      <button
        title={history.canFork ? 'Makes a world of its own of this revision' : 'The server can no longer make the world as it was at this revision'}
        disabled={!history.canFork}
        onClick={fork}
      >
        {history.past.value === undefined ? 'Fork now' : 'Fork here'}
      </button>
      {error && <p class="bad-text">{sentence(error)}</p>}
    </>
  );
}

function Rows({ context: { history }, changes }: { context: WorldContext; changes: Change[] }) {
  const past = history.past.value;
  const at = past === undefined ? changes.length - 1 : changes.findIndex((change) => change.revision === past);
  const end = Math.min(changes.length, Math.max(rowsShown, at + rowsShown / 2));
  const rows = changes.slice(Math.max(0, end - rowsShown), end).reverse();
  return (
    <>
      <h2>
        Changes <small class="faint">revisions {count(history.first + 1n)} to {count(history.last)}</small>
      </h2>
      <ol class="rows changes">
        {rows.map((change) => (
          <li key={String(change.revision)}>
            <button aria-current={change.revision === past} onClick={() => (history.pause(), history.show(change.revision))}>
              <b>{count(change.revision)}</b>
              <span>{summary(change.batch)}</span>
              <span class="faint">{change.gameTick > 0n ? `tick ${count(change.gameTick)}` : change.appliedAtUs > 0n ? ago(Number(change.appliedAtUs / 1000n)) : ''}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
