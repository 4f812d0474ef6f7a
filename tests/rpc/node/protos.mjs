// The .proto files, loaded at run time. Field names stay as written, 64-bit numbers are decimal
// strings, enums are their names, and the name of a oneof tells which of its fields is set.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import loader from '@grpc/proto-loader';

const here = dirname(fileURLToPath(import.meta.url));

export const definition = loader.loadSync(
  [
    'repath/v1/common.proto',
    'repath/v1/profile.proto',
    'repath/v1/routes.proto',
    'repath/v1/changes.proto',
    'repath/v1/import.proto',
    'repath/v1/read_back.proto',
    'repath/v1/world.proto',
    'repath/v1/world_file.proto',
    'repath/v1/query.proto',
    'repath/v1/area.proto',
    'repath/v1/path.proto',
    'repath/v1/event.proto',
    'repath/v1/agent.proto',
    'repath/v1/debug.proto',
    'repath/v1/admin.proto',
    'google/rpc/status.proto',
    'google/rpc/error_details.proto',
    'health.proto',
    'reflection.proto',
  ],
  {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
    includeDirs: [resolve(here, '../../../proto'), here],
  },
);

// Returns the type of a full name: {type: its descriptor, serialize, deserialize}.
export function message_type(name) {
  const found = definition[name];
  if (found === undefined) throw new Error(`no message ${name} in the .proto files`);
  return found;
}
