import { expect, test } from 'bun:test';
import { membersOf, patchJson, patchKnown, patchPart } from './patch-json.ts';

const patched = (text: string, patch: Record<string, string | null>) =>
  patchJson(text, membersOf(text), patch);

test('replaces a value without changing any other byte', () => {
  const text = '{ "z" : 1e400, "model":"a\\u0062" ,"tools":[{"b":1.0,"a":-0}] }\n';
  expect(patched(text, { model: '"new"' })).toBe(
    '{ "z" : 1e400, "model":"new" ,"tools":[{"b":1.0,"a":-0}] }\n',
  );
});

test('adds new members at the end', () => {
  expect(patched('{"a":{"x":1}}', { b: '2' })).toBe('{"a":{"x":1},"b":2}');
  expect(patched('{}', { b: '2' })).toBe('{"b":2}');
});

test('removes members at any position, even several at once', () => {
  for (const text of [
    '{"x":1,"a":2,"b":3}',
    '{"a":2,"x":1,"b":3}',
    '{"a":2,"b":3,"x":1}',
    '{ "a":2 , "b":3 , "x" : 1 }',
  ]) {
    expect(JSON.parse(patched(text, { x: null }))).toEqual({ a: 2, b: 3 });
  }
  expect(JSON.parse(patched('{"x":1}', { x: null }))).toEqual({});
});

test('patches text to the same JSON as the same change of the value', () => {
  const names = ['a', 'b', 'c\\"d', '"', '\\', 'x'];
  for (let seed = 0; seed < 2_000; seed++) {
    let state = seed * 2654435761;
    const next = (bound: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) % bound;
    };
    const space = () => ['', ' ', '\n\t'][next(3)];
    const chosen = names.filter(() => next(2) === 0);
    const value = Object.fromEntries(
      chosen.map((name) => [name, [1, 'te"x,}t', { a: [{}] }, null][next(4)]]),
    );
    const members = chosen.map(
      (name) =>
        `${space()}${JSON.stringify(name)}${space()}:${space()}${JSON.stringify(value[name])}${space()}`,
    );
    const patch = Object.fromEntries(
      names.filter(() => next(2) === 0).map((name) => [name, next(2) === 0 ? null : '[7]']),
    );
    const expected: Record<string, unknown> = { ...value };
    for (const [name, text] of Object.entries(patch)) {
      if (text === null) delete expected[name];
      else expected[name] = [7];
    }
    const text = `{${members.join(',')}}`;
    expect(JSON.parse(patched(text, patch))).toEqual(expected);
    expect(patchKnown(text, value, patch)).toBe(patched(text, patch));
  }
});

test("refuses to patch an upstream's object with a duplicate member", () => {
  for (const text of [
    '{"id":1,"id":2,"model":"theirs"}',
    '{"id":1,"model":"theirs","id":2}',
    '{"id":1,"model":"theirs","choices":[{"id":"}"}] , "model" : "theirs"}',
  ]) {
    expect(() => patchKnown(text, JSON.parse(text), { id: '"ours"', model: '"ours"' })).toThrow(SyntaxError);
  }
  const nested =
    '{"id":1,"model":"theirs","calls":[{"id":2,"model":"a"}],"last":{"id":"id"},"text":"\\"id\\":1"}';
  expect(patchKnown(nested, JSON.parse(nested), { id: '"ours"', model: '"ours"', more: '1' })).toBe(
    '{"id":"ours","model":"ours","calls":[{"id":2,"model":"a"}],"last":{"id":"id"},"text":"\\"id\\":1","more":1}',
  );
});

test('patches a part of a request by its last values if it has duplicate members', () => {
  expect(patchPart('{"id": 1.0, "a": 2.0}', { id: null })).toBe('{ "a": 2.0}');
  expect(patchPart('{"id":1,"a":2,"id":3}', { id: null, b: '"new"' })).toBe('{"a":2,"b":"new"}');
});
