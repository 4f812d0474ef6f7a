// Random messages made from the descriptors of the .proto files: right ones with a spoilt field,
// completely random ones, and bytes that were a message once.
import { definition } from './protos.mjs';

const doubles = [0, 0.5, 1, 2.5, 7, 100, -1, 1e-300, 1e9, 1e308, NaN, Infinity, -Infinity];
const integers = [0, 1, 2, 3, 5, 8, 31, 32, 64, 1000, 10_001, -1, -7, 2 ** 31 - 1, -(2 ** 31)];
const unsigned = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '64',
  '4096',
  '4294967295',
  '9223372036854775808',
  '18446744073709551615',
];
const texts = [
  '',
  'default',
  'swamp',
  'ground',
  'a',
  'no such thing',
  '\u00e9\u0000',
  'x'.repeat(65),
  'y'.repeat(3000),
];
const depth_max = 6;

// Every message type by its short name, including nested ones.
const types = new Map();
function remember({ type }) {
  types.set(type.name, type);
  for (const nested of type.nestedType) remember({ type: nested });
}
for (const found of Object.values(definition))
  if (found.format?.includes('DescriptorProto') && found.type.field) remember(found);

// `words` are texts with a meaning to the server (names of worlds and sessions).
export class Mutator {
  constructor(random, words) {
    this.random = random;
    this.texts = [...texts, ...words, ...words];
  }

  // Returns bytes for one call of `method` whose right request is `request`.
  bytes(method, request) {
    const { random } = this;
    const type = method.requestType.type;
    if (random.chance(0.3)) return method.requestSerialize(this.#message(type, 0));
    const spoilt = structuredClone(request);
    for (let n = random.below(3); n >= 0; --n) this.#spoil(type, spoilt, 0);
    const bytes = method.requestSerialize(spoilt);
    return random.chance(0.3) ? this.#scramble(bytes) : bytes;
  }

  #value(field, depth) {
    const { random } = this;
    switch (field.type) {
      case 'TYPE_MESSAGE':
        return this.#message(types.get(field.typeName.split('.').pop()), depth + 1);
      case 'TYPE_STRING':
        return random.of(this.texts);
      case 'TYPE_BYTES':
        return Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256)));
      case 'TYPE_BOOL':
        return random.chance(0.5);
      case 'TYPE_DOUBLE':
        return random.chance(0.4) ? random.next() * 20 : random.of(doubles);
      case 'TYPE_ENUM':
        return random.below(7) - (random.chance(0.1) ? 90 : 0);
      case 'TYPE_UINT64':
      case 'TYPE_FIXED64':
        return random.of(unsigned);
      default:
        return random.chance(0.4) ? random.below(20) : random.of(integers);
    }
  }

  #field_value(field, depth) {
    if (field.label !== 'LABEL_REPEATED') return this.#value(field, depth);
    const count = this.random.chance(0.02) ? 300 : this.random.below(5);
    return Array.from({ length: count }, () => this.#value(field, depth));
  }

  #message(type, depth) {
    const message = {};
    if (depth >= depth_max) return message;
    for (const field of type.field) {
      if (this.random.chance(0.6)) message[field.name] = this.#field_value(field, depth);
    }
    return message;
  }

  // Changes one field of `message`, or of a message in it.
  #spoil(type, message, depth) {
    const { random } = this;
    const field = random.of(type.field);
    if (field === undefined) return;
    const held = message[field.name];
    const inner = Array.isArray(held) ? random.of(held) : held;
    if (field.type === 'TYPE_MESSAGE' && typeof inner === 'object' && random.chance(0.8)) {
      this.#spoil(types.get(field.typeName.split('.').pop()), inner, depth + 1);
    } else if (Array.isArray(held) && held.length > 0 && random.chance(0.5)) {
      held.push(random.chance(0.5) ? held[0] : this.#value(field, depth));
    } else {
      message[field.name] = this.#field_value(field, depth);
    }
  }

  // Returns the bytes with some of them changed, cut off or doubled.
  #scramble(bytes) {
    const { random } = this;
    const changed = Buffer.from(bytes);
    for (let n = random.below(4); n >= 0 && changed.length > 0; --n) {
      changed[random.below(changed.length)] = random.below(256);
    }
    if (random.chance(0.2)) return changed.subarray(0, random.below(changed.length + 1));
    if (random.chance(0.2)) return Buffer.concat([changed, changed]);
    return changed;
  }
}
