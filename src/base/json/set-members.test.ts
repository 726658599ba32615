import { expect, test } from 'bun:test';
import { knownBody } from './json-body.ts';
import { setMembers } from './set-members.ts';

const bodyOf = (text: string) => knownBody(text, JSON.parse(text));

test.each([
  ['{ "a": 1 }', [], '{ "a": 1 ,"max":3}'],
  ['{"tools":[ {"x":1.0}, {"max":9 ,"y":2} ]}', ['tools', 1], '{"tools":[ {"x":1.0}, {"max":3 ,"y":2} ]}'],
  ['{"a":{"b":[{}]},"z":1e2}', ['a', 'b', 0], '{"a":{"b":[{"max":3}]},"z":1e2}'],
] as const)('sets a member of %s at %j, and keeps all other bytes', (text, path, expected) => {
  const made = setMembers(bodyOf(text), [...path], { max: 3 });
  expect(made.text).toBe(expected);
  expect(made.value).toEqual(JSON.parse(expected));
});

test('the last of two members with one name counts', () => {
  const made = setMembers(bodyOf('{"a":{"b":{"x":1},"b":{"y":2}}}'), ['a', 'b'], { max: 3 });
  expect(JSON.parse(made.text)).toEqual({ a: { b: { y: 2, max: 3 } } });
  expect(made.value).toEqual(JSON.parse(made.text));
});
