// The page of one world: its map, and a panel beside it.
import { useEffect, useMemo } from 'preact/hooks';
import { turn, route, go } from '../state/route';
import { WorldContext } from '../state/world_context';
import { Bar, sentence, Trouble } from '../ui/shell';
import { Keys, keysShown } from '../ui/keys';
import { Icon } from '../ui/icon';
import { count } from '../ui/text';
import { MapView } from './map_view';
import { Toolbar, Legend, LayerBar, Readout } from './map_overlays';
import { DraftCard } from './draft_card';
import { Overview } from './overview';
import { HistoryPanel } from './history_panel';
import { SearchPanel } from './search_panel';
import { Inspect } from './inspect';

const tabs = [
  ['overview', 'Overview'],
  ['inspect', 'Inspect'],
  ['search', 'Search'],
  ['history', 'History'],
] as const;

export function WorldPage({ name }: { name: string }) {
  const context = useMemo(() => new WorldContext(name), [name]);
  useEffect(() => {
    document.title = `${name} · Repath`;
    context.start();
    return () => context.stop();
  }, [context]);
  const feed = context.model.feed.value;
  const error = feed.kind === 'lost' || feed.kind === 'refused' ? feed.error : undefined;
  const second = context.search.second.value;
  const gone = error?.code === 'not_found';
  return (
    <div class="page world">
      <WorldBar context={context} />
      <Keys />
      {!gone && <Trouble error={error} />}
      <main class="split">
        <section class="stage">
          <div class={`maps ${second ? 'two' : ''}`}>
            <MapView context={context} />
            {second && <MapView context={context} second={second} />}
          </div>
          {gone ? (
            <div class="cover">
              <h1>No world of this name</h1>
              <p>{sentence(error!.message)} It may have been deleted. If it is made again, it appears here.</p>
              <button class="main" onClick={() => go({})}>
                All worlds
              </button>
            </div>
          ) : (
            <>
              <LayerBar context={context} />
              <Toolbar context={context} />
              <Legend context={context} />
              <Readout context={context} />
              <DraftCard context={context} />
              {context.model.shownPast.value && <PastNote context={context} />}
            </>
          )}
        </section>
        <aside class="panel">
          <nav class="tabs" role="tablist">
            {tabs.map(([key, label]) => (
              <button key={key} role="tab" aria-selected={route.value.tab === key} onClick={() => turn({ tab: key })}>
                {label}
              </button>
            ))}
          </nav>
          <div class="panel-body">
            <Panel context={context} />
          </div>
        </aside>
      </main>
    </div>
  );
}

function Panel({ context }: { context: WorldContext }) {
  switch (route.value.tab) {
    case 'inspect':
      return <Inspect context={context} />;
    case 'search':
      return <SearchPanel context={context} />;
    case 'history':
      return <HistoryPanel context={context} />;
    default:
      return <Overview context={context} />;
  }
}

function PastNote({ context }: { context: WorldContext }) {
  return (
    <button class="past main" onClick={() => context.history.live()}>
      Revision {count(context.history.past.value ?? 0n)}. Back to now
    </button>
  );
}

function WorldBar({ context }: { context: WorldContext }) {
  const world = context.model.meta.value;
  const feed = context.model.feed.value;
  const { settled, waiting } = context.model;
  void context.model.agentsTurn.value;
  const state = feed.kind === 'live' ? 'live' : feed.kind === 'loading' ? 'reading' : 'not connected';
  return (
    <Bar
      end={
        <>
          <span class={`pill ${feed.kind}`} title="State of the connection">
            {state}
          </span>
          <button class="icon wide" title="Keys (?)" aria-label="Keys" onClick={() => (keysShown.value = true)}>
            <b>?</b>
          </button>
        </>
      }
    >
      <a class="crumb" href="#/">
        Worlds
      </a>
      <span class="crumb sep" aria-hidden="true">
        <Icon name="play" />
      </span>
      <span class="crumb here">{context.name}</span>
      {world && (
        <span class="facts">
          <span title="Current revision of the world">
            revision <b>{count(world.revision)}</b>
          </span>
          <span title="The greatest revision at which no agent waits: silence is proved up to here">
            settled <b>{count(settled.value)}</b>
          </span>
          <span class="wide" title="Agents, and those that wait for a verdict">
            agents <b>{count(context.model.agents.rows.size)}</b>
            {waiting.value > 0n && <em> {count(waiting.value)} waiting</em>}
          </span>
          {world.incarnation > 0n && (
            <span class="wide" title="Grows whenever the server loads the world">
              incarnation <b>{count(world.incarnation)}</b>
            </span>
          )}
        </span>
      )}
    </Bar>
  );
}
