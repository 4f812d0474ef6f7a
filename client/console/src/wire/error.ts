// Errors of calls, as a person and the code can use them.
import { fromBinary } from '@bufbuild/protobuf';
import { BadRequestSchema, ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb';

// The form in which errors arrive: the Connect protocol's, also in the last frame of a stream.
export interface WireError {
  code?: string;
  message?: string;
  details?: { type?: string; value?: string }[];
}

export class RpcError extends Error {
  // `reason` and `metadata` are those of google.rpc.ErrorInfo; `field` is the field of the request that is at fault.
  constructor(
    readonly code: string,
    message: string,
    readonly reason = '',
    readonly field = '',
    readonly metadata: Record<string, string> = {},
  ) {
    super(message);
  }

  // The server cannot be reached, or not now: trying again can help.
  get passing(): boolean {
    return this.code === 'unavailable' || this.code === 'deadline_exceeded' || this.code === 'canceled';
  }

  get tokenWanted(): boolean {
    return this.code === 'unauthenticated';
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

export function errorFrom(wire: WireError): RpcError {
  let reason = '';
  let field = '';
  let metadata: Record<string, string> = {};
  for (const { type, value } of wire.details ?? []) {
    if (type?.endsWith('google.rpc.ErrorInfo')) {
      const info = fromBinary(ErrorInfoSchema, bytesOf(value ?? ''));
      reason = info.reason;
      metadata = info.metadata;
    } else if (type?.endsWith('google.rpc.BadRequest')) {
      field = fromBinary(BadRequestSchema, bytesOf(value ?? '')).fieldViolations[0]?.field ?? '';
    }
  }
  return new RpcError(wire.code ?? 'unknown', wire.message ?? 'unknown error', reason, field, metadata);
}

export function errorOf(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  return new RpcError('unknown', thrown instanceof Error ? thrown.message : String(thrown));
}
