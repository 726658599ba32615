import { expect, test } from 'bun:test';
import { BadInput } from './bad-input.ts';
import { Field } from './field.ts';

const body = new Field({ messages: [{ content: 'hi', size: 1.5 }], flag: 'yes', none: null });

test('a field reads the value at its path', () => {
  const [message] = body.at('messages').items();
  expect(message!.at('content').text()).toBe('hi');
});

test('a refusal names the path of the field', () => {
  const [message] = body.at('messages').items();
  const fail = () => message!.at('size').number();
  expect(fail).toThrow(BadInput);
  expect(fail).toThrow('messages[0].size: expected an integer');
  expect(() => body.at('flag').flag()).toThrow('flag: expected a boolean');
});

test('a null field counts as absent', () => {
  expect(body.at('none').present).toBe(false);
});

test('an absent field is an empty list or false', () => {
  const missing = body.at('missing');
  expect(missing.items()).toEqual([]);
  expect(missing.flag()).toBe(false);
});

test('a required list cannot be absent', () => {
  expect(() => body.at('missing').someItems()).toThrow('missing: expected at least one element');
});

test('the first spelling that is present counts', () => {
  expect(body.either('absent', 'flag').text()).toBe('yes');
});
