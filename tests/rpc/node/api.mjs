// One connection to a server, with every method of every service as a function of its name:
// api.world.GetWorld({...}).
//
// Unary and client-streaming methods return promises; the others return a Stream. A rejected call
// throws a Fault. raw() and raw_stream() send bytes as they are.
import grpc from '@grpc/grpc-js';
import { Fault } from './decode.mjs';
import { definition } from './protos.mjs';

const services = {
  world: 'repath.v1.WorldService',
  path: 'repath.v1.PathService',
  agent: 'repath.v1.AgentService',
  debug: 'repath.v1.DebugService',
  admin: 'repath.v1.AdminService',
  health: 'grpc.health.v1.Health',
  reflection: 'grpc.reflection.v1alpha.ServerReflection',
};
const call_within_ms = 30_000;
const message_within_ms = 10_000;

// A stream that ended normally before the expected message.
export class Ended extends Error {
  constructor(what) {
    super(`${what}: ended`);
  }
}

// The messages of a stream one after the other, at any pace.
export class Stream {
  constructor(call, what) {
    this.call = call;
    this.what = what;
    this.arrived = [];
    this.waiting = null;
    this.ended = false;
    this.fault = null;
    call.on('data', (message) => this.#wake(() => this.arrived.push(message)));
    call.on('end', () => this.#wake(() => (this.ended = true)));
    call.on('error', (error) => this.#wake(() => (this.fault = Fault.of_call(error, what))));
  }

  #wake(change) {
    change();
    this.waiting?.();
  }

  write(message) {
    this.call.write(message);
  }

  // Returns the next message. Throws the stream's Fault if it was rejected, Ended, or an Error if
  // no message came in time.
  async next(within_ms = message_within_ms) {
    const until = Date.now() + within_ms;
    while (this.arrived.length === 0) {
      if (this.fault !== null) throw this.fault;
      if (this.ended) throw new Ended(this.what);
      if (!(await this.#change(until - Date.now()))) {
        throw new Error(`${this.what}: nothing within ${within_ms} ms`);
      }
    }
    return this.arrived.shift();
  }

  // Returns true if neither a message nor the end came for this long.
  async silent(for_ms) {
    if (this.arrived.length > 0 || this.ended || this.fault !== null) return false;
    await this.#change(for_ms);
    return this.arrived.length === 0 && !this.ended && this.fault === null;
  }

  // Returns the Fault in which the stream must end; drops earlier messages.
  async end_fault(within_ms = message_within_ms) {
    const until = Date.now() + within_ms;
    while (this.fault === null) {
      if (!(await this.#change(until - Date.now()))) throw new Error(`${this.what}: goes on`);
    }
    return this.fault;
  }

  // Drops the call at once, without half-closing it.
  cancel() {
    this.call.cancel();
  }

  // Waits for something to happen. Returns false if nothing did within `ms`.
  #change(ms) {
    return new Promise((done) => {
      const timer = setTimeout(() => finish(false), Math.max(ms, 0));
      const finish = (happened) => {
        clearTimeout(timer);
        this.waiting = null;
        done(happened);
      };
      this.waiting = () => finish(true);
    });
  }
}

function unary(client, method, what) {
  return (request, { within_ms = call_within_ms } = {}) =>
    new Promise((done, failed) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        new grpc.Metadata(),
        { deadline: Date.now() + within_ms },
        (error, answer) => (error ? failed(Fault.of_call(error, what)) : done(answer)),
      );
    });
}

function client_stream(client, method, what) {
  return (requests) =>
    new Promise((done, failed) => {
      const call = client[method.originalName](
        { deadline: Date.now() + call_within_ms },
        (error, answer) => (error ? failed(Fault.of_call(error, what)) : done(answer)),
      );
      call.on('error', () => {}); // Reported by the callback.
      for (const request of requests) call.write(request);
      call.end();
    });
}

const as_it_is = (bytes) => bytes;

// A method of any name whose messages are unchecked bytes in both directions.
function raw_method(label, name) {
  const path = `/${services[label]}/${name}`;
  return { path, requestSerialize: as_it_is, responseDeserialize: as_it_is };
}

function make_service(client, methods, label) {
  const functions = {};
  for (const [name, method] of Object.entries(methods)) {
    const what = `${label}.${name}`;
    if (method.requestStream && method.responseStream) {
      functions[name] = () => new Stream(client[name](), what);
    } else if (method.responseStream) {
      functions[name] = (request) => new Stream(client[name](request), what);
    } else if (method.requestStream) {
      functions[name] = client_stream(client, method, what);
    } else {
      functions[name] = unary(client, method, what);
    }
  }
  functions.raw = (name, bytes) =>
    unary(client, raw_method(label, name), `${label}.${name}`)(bytes);
  functions.raw_stream = (name) => {
    const { path } = raw_method(label, name);
    return new Stream(client.makeBidiStreamRequest(path, as_it_is, as_it_is), `${label}.${name}`);
  };
  return functions;
}

export function methods_of(service) {
  return definition[services[service]];
}

// Adds a token to every call of a client.
function with_token(token) {
  const add = (metadata, listener, next) => {
    metadata.set('authorization', `Bearer ${token}`);
    next(metadata, listener);
  };
  return (options, next_call) => new grpc.InterceptingCall(next_call(options), { start: add });
}

// Opens a separate connection, with TLS if `ca` has an authority in PEM; each call has the token.
// close() drops it, with every call on it.
export function connect(address, { ca, token } = {}) {
  const credentials =
    ca === undefined
      ? grpc.credentials.createInsecure()
      : grpc.credentials.createSsl(Buffer.from(ca));
  const interceptors = token === undefined ? [] : [with_token(token)];
  const options = {
    'grpc.max_send_message_length': -1,
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  };
  const channel = new grpc.Channel(address, credentials, options);
  const clients = [];
  const api = {};
  for (const [key, name] of Object.entries(services)) {
    const Client = grpc.makeClientConstructor(definition[name], name);
    const client = new Client(address, credentials, { channelOverride: channel, interceptors });
    clients.push(client);
    api[key] = make_service(client, definition[name], key);
  }
  api.ready = (within_ms) =>
    new Promise((done, failed) =>
      clients[0].waitForReady(Date.now() + within_ms, (error) => (error ? failed(error) : done())),
    );
  api.close = () => channel.close();
  return api;
}
