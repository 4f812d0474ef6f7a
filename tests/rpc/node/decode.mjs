// Takes a failed call apart: its status code, and the google.rpc details in
// grpc-status-details-bin.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import { message_type } from './protos.mjs';

const any_prefix = 'type.googleapis.com/';

function decode_details(details) {
  return details.map(({ type_url, value }) => {
    assert.ok(type_url.startsWith(any_prefix), `detail of type ${type_url}`);
    const type = type_url.slice(any_prefix.length);
    return { type, value: message_type(type).deserialize(value) };
  });
}

// The error of a rejected call, as a client sees it.
//   status    "INVALID_ARGUMENT" and so on
//   reason    of the only ErrorInfo; undefined if the call carries no details
//   fields    that BadRequest names, in order
//   metadata  of the ErrorInfo
export class Fault extends Error {
  constructor(code, message, details, what) {
    const status = grpc.status[code] ?? `code ${code}`;
    super(`${what}: ${status}: ${message}`);
    const of_type = (name) => details.filter(({ type }) => type === `google.rpc.${name}`);
    this.status = status;
    this.explanation = message;
    this.infos = of_type('ErrorInfo').map(({ value }) => value);
    this.reason = this.infos[0]?.reason;
    this.metadata = this.infos[0]?.metadata ?? {};
    this.fields = of_type('BadRequest').flatMap(({ value }) =>
      value.field_violations.map(({ field }) => field),
    );
  }

  // Makes a Fault from the error of a grpc-js call; `what` names the call.
  static of_call(error, what) {
    const [encoded] = error.metadata?.get('grpc-status-details-bin') ?? [];
    if (encoded === undefined) return new Fault(error.code, error.details, [], what);
    const status = message_type('google.rpc.Status').deserialize(encoded);
    assert.equal(status.code, error.code, `${what}: code of the details and of the call`);
    return new Fault(error.code, error.details, decode_details(status.details), what);
  }

  // Makes a Fault from a google.rpc.Status in a message.
  static of_status(status, what) {
    return new Fault(status.code, status.message, decode_details(status.details), what);
  }
}

// Returns the fault in which `promise` must end.
export async function fault_of(promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  assert.fail(`accepted, though it should be refused: ${JSON.stringify(answer).slice(0, 400)}`);
}

// Checks the properties of every rejection, and the expected ones of this one: {status, reason,
// field}, as far as given. `status` and `field` may be lists of allowed values.
export function check_fault(fault, { status, reason, field }) {
  assert.ok([status].flat().includes(fault.status), `${fault.message}, not ${status}`);
  assert.equal(fault.infos.length, 1, `${fault.message}: ErrorInfo, exactly one`);
  assert.equal(fault.infos[0].domain, 'repath', fault.message);
  assert.match(fault.reason, /^[A-Z][A-Z0-9_]*$/, fault.message);
  assert.notEqual(fault.explanation, '', 'a message for the developer');
  if (reason !== undefined) assert.equal(fault.reason, reason, fault.message);
  if (field !== undefined) {
    const fields = [field].flat();
    assert.ok(
      fault.fields.some((named) => fields.includes(named)),
      `${fault.message}: names [${fault.fields}], not ${fields.join(' or ')}`,
    );
  }
}

export async function refused(promise, expected) {
  const fault = await fault_of(promise);
  check_fault(fault, expected);
  return fault;
}
