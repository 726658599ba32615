import { expect, test } from 'bun:test';
import { fillChoices } from './fill-choices.ts';

const filled = (text: string): string | undefined => fillChoices(JSON.parse(text), () => text);

test('adds the members that a host omits and keeps all other bytes', () => {
  const text = '[{"message": {"role":"assistant", "content":"\\u0041", "n":1.0}, "finish_reason":"stop"}]';
  expect(filled(text)).toBe(
    '[{"message": {"role":"assistant", "content":"\\u0041", "n":1.0,"refusal":null}, "finish_reason":"stop",' +
      '"index":0,"logprobs":null}]',
  );
});

test('leaves choices alone that lack nothing', () => {
  const message = '{"role":"assistant","content":null,"refusal":null}';
  expect(filled(`[{"index":0,"message":${message},"logprobs":null}]`)).toBeUndefined();
  expect(filled('[{"index":0,"text":"one","logprobs":null}]')).toBeUndefined();
});

test('fills a choice with a member that occurs twice by its last value', () => {
  const message = '{"role":"assistant","content":"one","content":"two","refusal":null}';
  expect(JSON.parse(filled(`[{"index":0,"index":0,"message":${message}}]`)!)).toEqual([
    { index: 0, message: { role: 'assistant', content: 'two', refusal: null }, logprobs: null },
  ]);
});

test('adds the types of calls that a host omits and keeps all other bytes', () => {
  const callsOf = (types: string) =>
    `[{"id":"a"${types},"function":{"name":"f", "arguments":"{}"}},{"id":"b","type":"function"},null]`;
  const choiceOf = (types: string) =>
    `[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":${callsOf(types)}},"logprobs":null}]`;
  expect(JSON.parse(filled(choiceOf(''))!)).toEqual(JSON.parse(choiceOf(',"type":"function"')));
  expect(filled(choiceOf(''))).toContain('"function":{"name":"f", "arguments":"{}"}');
  expect(filled(choiceOf(',"type":"custom"'))).toBeUndefined();
});
