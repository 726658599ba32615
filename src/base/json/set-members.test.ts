import { expect, test } from 'bun:test';
import { knownBody } from './json-body.ts';
import { setAllMembers, setMembers } from './set-members.ts';

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

test('sets members in several objects at once, whatever their order', () => {
  const text = '{"a":[ {"x":1}, 2, {"y":{}} ],"b":{ }}';
  const made = setAllMembers(bodyOf(text), [
    { path: ['b'], members: { max: 1 } },
    { path: ['a', 2, 'y'], members: { max: 2 } },
    { path: ['a', 0], members: { max: 3 } },
    { path: [], members: { max: 4 } },
    { path: ['b'], members: { least: 5 } },
  ]);
  expect(made.text).toBe('{"a":[ {"x":1,"max":3}, 2, {"y":{"max":2}} ],"b":{ "max":1,"least":5},"max":4}');
  expect(made.value).toEqual(JSON.parse(made.text));
});
