import { expect, test } from 'bun:test';
import { BadInput } from './bad-input.ts';
import { Field } from './field.ts';
import { joinTurns } from './join-turns.ts';

const body = new Field({ messages: [{ content: 'hi', size: 1.5 }], flag: 'yes', none: null });

test('a field knows its path, and a refusal names it', () => {
  const [message] = body.at('messages').items();
  expect(message!.at('content').text()).toBe('hi');
  const fail = () => message!.at('size').number();
  expect(fail).toThrow(BadInput);
  expect(fail).toThrow('messages[0].size: expected an integer');
});

test('an absent field is empty, and a required list is not', () => {
  expect([body.at('none').present, body.at('missing').items(), body.at('missing').flag()]).toEqual([
    false,
    [],
    false,
  ]);
  expect(() => body.at('missing').someItems()).toThrow('missing: expected at least one element');
  expect(() => body.at('flag').flag()).toThrow('flag: expected a boolean');
});

test('the first spelling that is present counts', () => {
  expect(body.either('absent', 'flag').text()).toBe('yes');
});

test('neighbours of one role become one turn', () => {
  const turn = (role: string, ...parts: string[]) => ({ role, parts });
  const turns = [turn('user', 'a'), turn('user', 'b'), turn('assistant', 'c'), turn('user', 'd')];
  const joined: unknown = joinTurns(turns as unknown as Parameters<typeof joinTurns>[0]);
  expect(joined).toEqual([turn('user', 'a', 'b'), turn('assistant', 'c'), turn('user', 'd')]);
});
