// The frame of every page: the bar at the top, the notice about the connection, the entry of a token.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { hasToken, setToken } from '../wire/rpc';
import type { RpcError } from '../wire/error';
import { switchTheme, theme } from '../state/theme';
import { Icon } from './icon';

export function Bar({ children, end }: { children?: ComponentChildren; end?: ComponentChildren }) {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <header class="bar">
      <a class="brand" href="#/" title="All worlds">
        <img src="icon.svg" width="22" height="22" alt="" />
        <b>Repath</b>
      </a>
      {children}
      <span class="grow" />
      {end}
      <a class="api" href="/docs" title="Reference of the API, with a form for each call">
        API
      </a>
      {hasToken() && (
        <button class="quiet" title="Forget the token of this tab" onClick={() => (setToken(''), location.reload())}>
          Forget token
        </button>
      )}
      <button class="icon" title={`Switch to ${other}`} aria-label={`Switch to ${other}`} onClick={switchTheme}>
        <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
    </header>
  );
}

// Says what is wrong with the connection; below it the page shows what was known last.
export function Trouble({ error }: { error: RpcError | undefined }) {
  if (!error) return null;
  if (error.tokenWanted) return <TokenEntry error={error} />;
  return (
    <div class={`notice ${error.passing ? 'lost' : 'bad'}`} role="status">
      <span class="spin" aria-hidden="true" />
      <span>
        <b>{error.passing ? 'No connection.' : 'The server refuses.'}</b> {sentence(error.message)}{' '}
        {error.reason && <code>{error.reason}</code>} This page goes on by itself.
      </span>
    </div>
  );
}

export function sentence(text: string): string {
  if (!text) return '';
  const first = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function TokenEntry({ error }: { error: RpcError }) {
  const [text, setText] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    setToken(text);
    location.reload();
  };
  return (
    <form class="notice token" onSubmit={send}>
      <label>
        <b>This server wants a token.</b> {error.reason !== 'TOKEN_MISSING' && sentence(error.message)} <code>repath token create</code> makes
        one. It is kept until this tab is closed.
        <input
          type="password"
          name="token"
          autocomplete="off"
          spellcheck={false}
          aria-label="Token"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button class="main" type="submit" disabled={!text.trim()}>
        Use token
      </button>
    </form>
  );
}
