// The page of one world: its map, and a panel beside it.
import { useEffect, useMemo } from 'preact/hooks';
import { turn, route, go } from '../state/route';
import { WorldContext } from '../state/world_context';
import { Bar, sentence, Trouble } from '../ui/shell';
import { Keys, keysShown } from '../ui/keys';
import { Icon } from '../ui/icon';
import { count } from '../ui/text';
import { MapView } from './map_view';
import { Toolbar, Legend, LayerBar } from './map_overlays';
import { Readout } from './map_readout';
import { DraftCard, Hint } from './draft_card';
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
  const denied = error?.code === 'permission_denied';
  return (
    <div class="page world">
      <WorldBar context={context} />
      <Keys />
      {!gone && !denied && <Trouble error={error} />}
      <main class="split">
        <section class="stage">
          <div class={`maps ${second ? 'two' : ''}`}>
            <MapView context={context} />
            {second && <MapView context={context} second={second} />}
          </div>
          {gone || denied ? (
            <div class="cover">
              <h1>{gone ? 'No world of this name' : 'This world may not be read'}</h1>
              {gone && <p>{sentence(error!.message)} It may have been deleted. If it is made again, it appears here.</p>}
              {denied && (
                <p>
                  {sentence(error!.message)} <code>{error!.reason}</code> It appears here once the token of this tab may read it.
                </p>
              )}
              <button class="main" onClick={() => go({})}>
                All worlds
              </button>
            </div>
          ) : (
            <>
              <LayerBar context={context} />
              <Toolbar context={context} />
              <Legend context={context} />
              <div class="corner">
                {/* What can be pressed lies lowest, so that it stays where it is when a line above it goes. */}
                <Readout context={context} />
                <Hint context={context} />
                {context.model.shownPast.value && <PastNote context={context} />}
              </div>
              <DraftCard context={context} />
            </>
          )}
        </section>
        <aside class="panel">
          <nav class="tabs" role="tablist" onKeyDown={moveTab}>
            {tabs.map(([key, label]) => (
              <button
                key={key}
                role="tab"
                aria-selected={route.value.tab === key}
                tabIndex={route.value.tab === key ? 0 : -1}
                disabled={gone || denied}
                onClick={() => turn({ tab: key })}
              >
                {label}
              </button>
            ))}
          </nav>
          <div class="panel-body">
            {gone || denied ? <p class="faint pad">Nothing is known of this world.</p> : <Panel context={context} />}
          </div>
        </aside>
      </main>
    </div>
  );
}

// Arrows choose the tab beside the one that has the focus.
function moveTab(event: KeyboardEvent): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>('[role=tab]:not(:disabled)')];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (by === 0 || at < 0) return;
  event.preventDefault();
  const next = all[(at + by + all.length) % all.length]!;
  next.focus();
  next.click();
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

const stateNames: Record<string, string> = { live: 'live', slow: 'no news', loading: 'reading', not_found: 'not there', permission_denied: 'not allowed' };

function WorldBar({ context }: { context: WorldContext }) {
  const world = context.model.meta.value;
  const feed = context.model.feed.value;
  const { settled, waiting } = context.model;
  const { noWrite, noAgents } = context.access;
  void context.model.agentsTurn.value;
  const error = feed.kind === 'lost' || feed.kind === 'refused' ? feed.error.code : '';
  const state = stateNames[error] ?? stateNames[feed.kind] ?? 'not connected';
  return (
    <Bar
      end={
        <>
          {noWrite.value && noAgents.value && (
            <span class="pill" title={`${noWrite.value} ${noAgents.value}`}>
              read only
            </span>
          )}
          <span class={`pill ${feed.kind}`} title={feed.kind === 'slow' ? 'The connection is open, but the server has sent nothing for 4 s' : 'State of the connection'}>
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
      <span class="crumb here" title={context.name}>
        {context.name}
      </span>
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
            <span title="Incarnation: grows whenever the server loads the world">
              <span class="wide-word">incarnation </span>
              <span class="short-word">inc. </span>
              <b>{count(world.incarnation)}</b>
            </span>
          )}
        </span>
      )}
    </Bar>
  );
}
