import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Reassembly } from './reassembly.ts';
import { takeApart } from './take-apart.ts';

function putTogether(parts: Iterable<string>): unknown {
  const whole = new Reassembly();
  for (const part of parts) whole.add(part);
  return whole.value;
}

test('a value survives being taken apart and put together', () => {
  const long = fc.array(
    fc.record({ id: fc.string(), text: fc.string({ minLength: 3_000, maxLength: 9_000 }) }),
    {
      maxLength: 20,
    },
  );
  const whole = fc.record({ long, deep: fc.record({ long, other: fc.jsonValue() }), value: fc.jsonValue() });
  fc.assert(
    fc.property(whole, (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(putTogether(takeApart(value))).toEqual(plain);
    }),
    { seed: 1, numRuns: 100 },
  );
});

test('no part exceeds its size limit, whatever the size of the value', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ id: `model-${index}`, text: 'x'.repeat(900) }));
  const names = Object.fromEntries(rows.map(({ id }) => [id, `a name for ${id}`]));
  const parts = [...takeApart({ catalog: { models: rows, handles: names } })];
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(34_000);
  expect(parts.length).toBeWithin(100, 300);
  expect(putTogether(parts)).toEqual({ catalog: { models: rows, handles: names } });
});

test('absent fields stay absent, while __proto__ is an ordinary field', () => {
  const text = 'x'.repeat(40_000);
  const value = JSON.parse(`{ "names": { "__proto__": "${text}", "other": "${text}" } }`);
  const again = putTogether(takeApart({ ...value, missing: undefined })) as typeof value;
  expect(Object.keys(again)).toEqual(['names']);
  expect(Object.keys(again.names)).toEqual(['__proto__', 'other']);
  expect(Object.getPrototypeOf(again.names)).toBe(Object.prototype);
});
