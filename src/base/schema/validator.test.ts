import { expect, test } from 'bun:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { findProblems } from './find-problems.ts';
import { Type } from './type.ts';
import { createValidator } from './validator.ts';

/** A small seeded generator: every run has the same schemas and values. */
function createRandom(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)]!;
  return { next, pick };
}
type Random = ReturnType<typeof createRandom>;

const names = ['type', 'role', 'text', 'id', 'toString', '__proto__'] as const;
const words = ['a', 'b', 'text', '', '😀😀', 'line\nbreak'] as const;

const leaves: ((random: Random) => TSchema)[] = [
  ({ next }) => Type.String({ minLength: next(3), maxLength: 1 + next(4) }),
  () => Type.String({ pattern: '^[a-z]+$' }),
  ({ next }) => Type.Integer({ minimum: next(3) }),
  ({ next }) => Type.Number({ exclusiveMinimum: next(2), maximum: 4 }),
  () => Type.Boolean(),
  () => Type.Null(),
  () => Type.Unknown(),
  ({ pick }) => Type.Literal(pick(['a', 'b', 'text', 1])),
  () => Type.Enum(['a', 'text']),
];

const wholes: ((random: Random, depth: number) => TSchema)[] = [
  (random, depth) => Type.Array(randomSchema(random, depth), { minItems: random.next(2), maxItems: 2 }),
  (random, depth) => Type.Record(Type.String(), randomSchema(random, depth)),
  randomObject,
  randomObject,
  (random, depth) => Type.Union([1, 2, 3].map(() => randomSchema(random, depth))),
  (random, depth) => Type.Unsafe({ oneOf: [1, 2].map(() => randomSchema(random, depth)) }),
  (random, depth) =>
    Type.Union(
      ['a', 'b'].map((type) => Type.Object({ type: Type.Literal(type), id: randomSchema(random, depth) })),
    ),
];

function randomObject(random: Random, depth: number): TSchema {
  const fields: Record<string, TSchema> = {};
  for (const name of names.slice(0, 4)) {
    const field = randomSchema(random, depth);
    if (random.next(3) > 0) fields[name] = random.next(2) ? Type.Optional(field) : field;
  }
  const additional = random.pick([true, false, Type.Integer()] as const);
  return Type.Object(fields, { additionalProperties: additional });
}

function randomSchema(random: Random, depth: number): TSchema {
  return depth === 0 ? random.pick(leaves)(random) : random.pick(wholes)(random, depth - 1);
}

function randomValue(random: Random, depth: number): unknown {
  const kind = random.next(depth === 0 ? 5 : 9);
  if (kind < 2) return random.pick(words);
  if (kind === 2) return random.pick([0, 1, 2, 3.5, -1, Number.NaN]);
  if (kind < 5) return random.pick([true, null, 'a', 1]);
  const count = random.next(3);
  if (kind === 5) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  const fields: Record<string, unknown> = {};
  for (let index = 0; index <= count; index++) {
    const value = randomValue(random, depth - 1);
    Object.defineProperty(fields, random.pick(names), { value, enumerable: true, configurable: true });
  }
  return fields;
}

/** Makes a value that mostly fits, so that both results are common. */
function fittingValue(schema: TSchema, random: Random): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: a schema read field by field
  const node = schema as Record<string, any>;
  const branches = node.anyOf ?? node.oneOf;
  if (random.next(12) === 0) return randomValue(random, 2);
  if (branches) return fittingValue(random.pick(branches), random);
  if (node.items) return Array.from({ length: 1 + random.next(2) }, () => fittingValue(node.items, random));
  if (node.properties) {
    const entries = Object.entries<TSchema>(node.properties).filter(() => random.next(6) > 0);
    return Object.fromEntries(entries.map(([name, field]) => [name, fittingValue(field, random)]));
  }
  if (node.enum) return random.pick(node.enum as unknown[]);
  const samples = { string: 'aa', integer: 3, number: 2, boolean: true, null: null, object: {} };
  return node.const ?? samples[node.type as keyof typeof samples];
}

test('finds problems exactly if the compiled check fails', () => {
  const random = createRandom(20_260);
  const seen = { valid: 0, invalid: 0 };
  for (let round = 0; round < 400; round++) {
    const schema = randomSchema(random, random.next(4));
    const compiled = Compile(schema);
    for (let attempt = 0; attempt < 40; attempt++) {
      const value = fittingValue(schema, random);
      const valid = compiled.Check(value);
      const problems = findProblems(schema, value);
      seen[valid ? 'valid' : 'invalid']++;
      if (valid !== (problems.length === 0))
        throw new Error(JSON.stringify({ schema, value, valid, problems }));
    }
  }
  expect(seen.valid).toBeGreaterThan(2_000);
  expect(seen.invalid).toBeGreaterThan(2_000);
});

test('returns the first problem, or undefined', () => {
  const validate = createValidator(Type.Object({ a: Type.String(), b: Type.Number() }));
  expect(validate({ a: 'x', b: 1 })).toBeUndefined();
  expect(validate({ b: 'x', a: 1 })).toEqual({ path: ['b'], message: 'must be a number, not a string' });
});

test('refuses values that only the compiled check can judge', () => {
  const validate = createValidator(Type.Unsafe({ type: 'array', uniqueItems: true }));
  expect(validate([1, 1])).toEqual({ path: [], message: 'is not valid' });
});
