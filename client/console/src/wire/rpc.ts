// Calls to the server that served this page: unary calls by the Connect protocol, streams by WebSocket.
//
// Both carry binary messages. Errors are JSON in both, see error.ts.
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { errorFrom, RpcError } from './error';
import { keep, recall } from './storage';

const defaultTimeoutMs = 15_000;
let token = recall('repath-token');

// The token that calls carry from now on; empty: none. It is kept until the tab is closed.
export function setToken(text: string): void {
  token = text.trim();
  keep('repath-token', token);
}

export function hasToken(): boolean {
  return token !== '';
}

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

function pathOf(method: { parent: { typeName: string }; name: string }): string {
  return `/${method.parent.typeName}/${method.name}`;
}

async function failure(response: Response): Promise<RpcError> {
  try {
    return errorFrom(await response.json());
  } catch {
    const code = response.status === 401 ? 'unauthenticated' : response.status >= 500 ? 'unavailable' : 'unknown';
    return new RpcError(code, `HTTP status ${response.status}`);
  }
}

function encoded<I extends DescMessage>(schema: I, input: MessageInitShape<I>): Uint8Array<ArrayBuffer> {
  try {
    return toBinary(schema, create(schema, input)) as Uint8Array<ArrayBuffer>;
  } catch (thrown) {
    throw new RpcError('invalid_argument', `this page asked for what no message can say: ${(thrown as Error).message}`);
  }
}

function decoded<O extends DescMessage>(schema: O, bytes: ArrayBuffer): MessageShape<O> {
  try {
    return fromBinary(schema, new Uint8Array(bytes));
  } catch (thrown) {
    // An answer cut short comes from a connection that broke.
    throw new RpcError('unavailable', `the answer cannot be read: ${(thrown as Error).message}`);
  }
}

// Calls a unary method. Throws RpcError; a server that cannot be reached is `unavailable`, and an input that is no message is
// `invalid_argument`.
export async function call<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  options: CallOptions = {},
): Promise<MessageShape<O>> {
  const body = encoded(method.input, input);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs + 1000);
  options.signal?.addEventListener('abort', () => limit.abort());
  const headers: Record<string, string> = {
    'Content-Type': 'application/proto',
    'Connect-Protocol-Version': '1',
    'Connect-Timeout-Ms': String(timeoutMs),
  };
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const response = await fetch(pathOf(method), { method: 'POST', headers, body, signal: limit.signal });
    if (!response.ok) throw await failure(response);
    return decoded(method.output, await response.arrayBuffer());
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown;
    if (options.signal?.aborted) throw new RpcError('canceled', 'the call was given up');
    if (limit.signal.aborted) throw new RpcError('deadline_exceeded', `no answer within ${timeoutMs / 1000} s`);
    throw new RpcError('unavailable', 'the server cannot be reached');
  } finally {
    clearTimeout(timer);
  }
}

export interface StreamHandlers<T> {
  message(message: T): void;
  // Called once, unless the stream was closed by the caller; without an error if the server ended it well.
  end(error?: RpcError): void;
}

// Opens a stream from the server. Returns a function that closes it.
export function watch<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  input: MessageInitShape<I>,
  handlers: StreamHandlers<MessageShape<O>>,
): () => void {
  const hello = encoded(method.input, input);
  const address = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${pathOf(method)}`;
  const socket = new WebSocket(address, token ? ['proto', `bearer.${token}`] : ['proto']);
  let ended = false;
  const end = (error?: RpcError) => {
    if (ended) return;
    ended = true;
    socket.close();
    handlers.end(error);
  };
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    socket.send(hello);
    socket.send('');
  };
  socket.onmessage = ({ data }) => {
    if (ended) return;
    if (typeof data !== 'string') handlers.message(fromBinary(method.output, new Uint8Array(data)));
    else if (data) end(errorFrom(JSON.parse(data).error ?? {}));
  };
  socket.onclose = ({ code }) => end(code === 1000 ? undefined : new RpcError('unavailable', 'the stream broke'));
  return () => {
    ended = true;
    // The browser logs a warning about a socket that is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}
