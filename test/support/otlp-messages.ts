/** The messages of OTLP that the tests read, by field number. A name that ends in `[]` is a list. */
type Kind = 'string' | 'hex' | 'varint' | 'fixed64' | 'double' | 'doubles' | 'fixed64s' | Message;
type Message = { [field: number]: readonly [name: string, kind: Kind] };

const anyValue: Message = {};
const keyValue: Message = { 1: ['key', 'string'], 2: ['value', anyValue] };
Object.assign(anyValue, {
  1: ['value', 'string'],
  2: ['value', 'varint'],
  3: ['value', 'varint'],
  4: ['value', 'double'],
  5: ['array', { 1: ['values[]', anyValue] }],
} satisfies Message);

const resource: Message = { 1: ['attributes[]', keyValue], 2: ['droppedAttributes', 'varint'] };
const scope: Message = { 1: ['name', 'string'], 2: ['version', 'string'] };
const exemplar: Message = {
  2: ['at', 'fixed64'],
  3: ['value', 'double'],
  4: ['spanId', 'hex'],
  5: ['traceId', 'hex'],
  7: ['attributes[]', keyValue],
};
const span: Message = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'string'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'string'],
  6: ['kind', 'varint'],
  7: ['start', 'fixed64'],
  8: ['end', 'fixed64'],
  9: ['attributes[]', keyValue],
  15: ['status', { 2: ['message', 'string'], 3: ['code', 'varint'] }],
};
const numberPoint: Message = {
  2: ['start', 'fixed64'],
  3: ['at', 'fixed64'],
  4: ['value', 'double'],
  7: ['attributes[]', keyValue],
};
const histogramPoint: Message = {
  2: ['start', 'fixed64'],
  3: ['at', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['counts', 'fixed64s'],
  7: ['bounds', 'doubles'],
  8: ['exemplars[]', exemplar],
  9: ['attributes[]', keyValue],
};
const metric: Message = {
  1: ['name', 'string'],
  2: ['description', 'string'],
  3: ['unit', 'string'],
  5: ['gauge', { 1: ['points[]', numberPoint] }],
  7: ['sum', { 1: ['points[]', numberPoint], 2: ['temporality', 'varint'], 3: ['isMonotonic', 'varint'] }],
  9: ['histogram', { 1: ['points[]', histogramPoint], 2: ['temporality', 'varint'] }],
};

const request = (items: Message): Message => ({
  1: [
    'resources[]',
    {
      1: ['resource', resource],
      2: ['scopes[]', { 1: ['scope', scope], 2: ['items[]', items] }],
      3: ['schemaUrl', 'string'],
    },
  ],
});
export const tracesRequest = request(span);
export const metricsRequest = request(metric);

// biome-ignore lint/suspicious/noExplicitAny: the tests compare what they find
export type Decoded = Record<string, any>;

/** Decodes a message strictly: an unknown field, a wrong type or a cut message is an error. */
export function decodeMessage(bytes: Buffer, message: Message): Decoded {
  const decoded: Decoded = {};
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('the message is cut');
      value += (byte & 0x7f) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the message is cut');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const [name, kind] = message[tag >>> 3] ?? [];
    if (name === undefined || kind === undefined) throw new Error(`unknown field ${tag >>> 3}`);
    const type = tag & 7;
    if (type !== wireTypeOf(kind)) throw new Error(`${name} has type ${type}`);
    const value = kind === 'varint' ? varint() : valueIn(take(type === 1 ? 8 : varint()), kind);
    if (name.endsWith('[]')) add(decoded, name.slice(0, -2), value);
    else decoded[name] = value;
  }
  return decoded;
}

function wireTypeOf(kind: Kind): number {
  if (kind === 'varint') return 0;
  return kind === 'fixed64' || kind === 'double' ? 1 : 2;
}

function add(decoded: Decoded, name: string, value: unknown): void {
  decoded[name] ??= [];
  decoded[name].push(value);
}

const numbers = <T>(bytes: Buffer, read: (at: number) => T): T[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => read(index * 8));

function valueIn(bytes: Buffer, kind: Kind): unknown {
  if (typeof kind === 'object') return decodeMessage(bytes, kind);
  const read: Record<string, () => unknown> = {
    string: () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    hex: () => bytes.toString('hex'),
    fixed64: () => bytes.readBigUInt64LE(),
    double: () => bytes.readDoubleLE(),
    doubles: () => numbers(bytes, (at) => bytes.readDoubleLE(at)),
    fixed64s: () => numbers(bytes, (at) => Number(bytes.readBigUInt64LE(at))),
  };
  return read[kind]!();
}

/** Turns a list of attributes into an object. */
export const attributesIn = ({ attributes = [] }: Decoded): Decoded =>
  Object.fromEntries(
    attributes.map(({ key, value }: Decoded) => [
      key,
      value.array ? value.array.values.map((each: Decoded) => each.value) : value.value,
    ]),
  );

/** Returns the spans or metrics of a request, with the attributes of their resource. */
export const itemsIn = (decoded: Decoded): { item: Decoded; resource: Decoded }[] =>
  decoded.resources.flatMap((each: Decoded) =>
    each.scopes.flatMap(({ items }: Decoded) =>
      items.map((item: Decoded) => ({ item, resource: attributesIn(each.resource) })),
    ),
  );
