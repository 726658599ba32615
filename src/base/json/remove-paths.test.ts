import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Path } from '../schema/format-path.ts';
import { formBody, type JsonBody, knownBody } from './json-body.ts';
import { removePaths } from './remove-paths.ts';

function bodyOf(text: string): JsonBody {
  return knownBody(text, JSON.parse(text));
}

const cut = (text: string, ...paths: Path[]): string => removePaths(bodyOf(text), paths).text;

test('keeps every other byte as it was sent', () => {
  const text = ' { "a" : [ {"x": 1.0,"y":"\\u00e9"} , 2 ,{"z":[ ]}], "b":{ "c" : {}, "d": null } }';
  expect(cut(text, ['a', 0, 'x'])).toBe(text.replace('"x": 1.0,', ''));
  expect(cut(text, ['a', 1])).toBe(text.replace(' , 2', ''));
  expect(cut(text, ['a', 0])).toBe(text.replace('{"x": 1.0,"y":"\\u00e9"} , 2', '2'));
  expect(cut(text, ['a', 2])).toBe(text.replace(' ,{"z":[ ]}', ''));
  expect(cut(text, ['b', 'd'], ['b', 'c'])).toBe(text.replace('{ "c" : {}, "d": null }', '{}'));
  expect(cut(text, ['b', 'c'], ['b'])).toBe(text.replace(', "b":{ "c" : {}, "d": null } ', ''));
  expect(cut(text, ['b'], ['b', 'c'])).toBe(text.replace(', "b":{ "c" : {}, "d": null } ', ''));
});

test('removes all duplicates of a member below the top level', () => {
  const text = '{"a":[{"ttl":"5m","ttl":"1h","b":1}]}';
  expect(cut(text, ['a', 0, 'ttl'])).toBe('{"a":[{"b":1}]}');
});

test('removes whole parts of a form', () => {
  const text = (name: string) => ({ name, text: 'x', type: undefined });
  const file = { name: 'file', filename: 'a', type: undefined, at: 0, byteLength: 1 };
  const form = {
    parts: [text('a'), file, text('b[]'), text('b[]'), text('c')],
    content: { byteLength: 1, read: () => new Uint8Array(1) },
  };
  const value = { a: 'x', file: { filename: 'a' }, 'b[]': ['x', 'x'], c: 'x' };
  const left = removePaths(formBody(value, form), [['a'], ['b[]', 1]]);
  expect(left.form!.parts).toEqual([file, text('c')]);
  expect(JSON.parse(left.text)).toEqual({ file: { filename: 'a' }, c: 'x' });
  expect(left.value).toEqual(JSON.parse(left.text));
});

/** Lists every path in a value. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...steps].flatMap((step) => {
    const path = [...at, step];
    return [path, ...placesIn((value as Record<string | number, unknown>)[step], path)];
  });
}

test('keeps text and value equal, whatever is removed from whatever body', () => {
  const bodies = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 });
  fc.assert(
    fc.property(bodies, fc.infiniteStream(fc.nat()), fc.nat(3), (value, picks, indent) => {
      const text = JSON.stringify(value, null, indent);
      const body = bodyOf(text);
      const places = placesIn(body.value).filter((path) => !path.includes('__proto__'));
      const chosen = [...picks.take(3)].flatMap((pick) => {
        const place = places[pick % Math.max(places.length, 1)];
        return place ? [place] : [];
      });
      const before = structuredClone(body.value);
      const left = removePaths(body, chosen);
      expect(JSON.parse(left.text)).toEqual(left.value);
      expect(body.value).toEqual(before);
      if (chosen.length === 0) expect(left.text).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('removes a member of an object whose name is that of the prototype', () => {
  const body = bodyOf('{"a":{"__proto__":{"b":1,"c":2},"constructor":{"b":3}}}');
  const paths: Path[] = [
    ['a', '__proto__', 'b'],
    ['a', 'constructor', 'b'],
  ];
  const { text, value } = removePaths(body, paths);
  expect(text).toBe('{"a":{"__proto__":{"c":2},"constructor":{}}}');
  expect(JSON.stringify(value)).toBe(text);
});

test('removes members far inside a long body', () => {
  const levels = 190;
  const numbers = Array.from({ length: 30_000 }, () => 1).join(',');
  const nested = (inner: string) => `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`;
  const path: Path = [...Array.from({ length: levels }, () => 'a'), 'b'];
  expect(cut(nested(`{"b":1,"c":[${numbers}]}`), path)).toBe(nested(`{"c":[${numbers}]}`));
});
