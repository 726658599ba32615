import { expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { Quirk } from '../../canonical/quirk.ts';
import { type Fitted, fitHost } from './fit-host.ts';

const fitted = (body: string, ...quirks: Quirk[]) => fitHost(body, quirks) as Fitted;

test('sends the same bytes if no quirk applies', () => {
  const body = '{ "model":"m",\n "messages": [ {"role":"user","content":"\\u0041 1.0"} ] }';
  for (const quirks of [[], ['max-tokens-only', 'no-developer-role', 'random-seed']] as Quirk[][])
    expect(fitted(body, ...quirks)).toEqual({ body, losses: [] });
});

test('renames the token limit to the name that the host accepts', () => {
  expect(fitted('{"max_completion_tokens":5,"model":"m"}', 'max-tokens-only').body).toBe(
    '{"model":"m","max_tokens":5}',
  );
  expect(fitted('{"model":"m","max_tokens":5}', 'max-completion-tokens-only').body).toBe(
    '{"model":"m","max_completion_tokens":5}',
  );
  const both = '{"max_tokens":7,"max_completion_tokens":5}';
  expect(fitted(both, 'max-completion-tokens-only').body).toBe('{"max_completion_tokens":5}');
});

test('adapts seed, stream options and parallel calls to the host', () => {
  const body = '{"seed":1,"stream_options":{"include_usage":true},"parallel_tool_calls":false}';
  expect(fitted(body, 'random-seed', 'no-stream-options', 'no-parallel-tool-calls')).toEqual({
    body: '{"random_seed":1}',
    losses: ['parallel-tool-calls'],
  });
  expect(fitted('{"a":1,"parallel_tool_calls":true}', 'no-parallel-tool-calls').losses).toEqual([]);
});

test('changes the developer role to system and nothing else of a conversation', () => {
  const body =
    '{"messages":[{"role":"developer","content":"be \\"developer\\" 1.0"}, {"role":"user","content":"developer"}]}';
  expect(fitted(body, 'no-developer-role').body).toBe(
    '{"messages":[{"role":"system","content":"be \\"developer\\" 1.0"},{"role":"user","content":"developer"}]}',
  );
});

test('removes fields that a strict host may not know and reports the losses', () => {
  const body = '{"model":"m","colour":"red","store":true,"user":null,"logprobs":false,"tools":[]}';
  expect(fitted(body, 'rejects-unknown-fields')).toEqual({
    body: '{"model":"m","tools":[]}',
    losses: ['store'],
  });
});

test('refuses fields whose removal would change the answer', () => {
  const refusal = fitHost('{"model":"m","logprobs":true}', ['rejects-unknown-fields']);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).details.param).toBe('logprobs');
});

test('reads the last value of a duplicate member of a message', () => {
  const body = '{"messages":[{"role":"user","role":"developer","content":"a","content":"b"}]}';
  expect(fitted(body, 'no-developer-role').body).toBe('{"messages":[{"role":"system","content":"b"}]}');
});

test('an effort becomes a flag and a budget for a host without efforts', () => {
  const fit = (effort: string) =>
    JSON.parse(fitted(`{"reasoning_effort":${effort}}`, 'thinking-by-flag').body);
  expect(fit('"medium"')).toEqual({ enable_thinking: true, thinking_budget: 8_192 });
  expect(fit('"none"')).toEqual({ enable_thinking: false });
  expect(fit('null')).toEqual({});
  const own = '{"enable_thinking":false,"reasoning_effort":"low","thinking_budget":5}';
  expect(JSON.parse(fitted(own, 'thinking-by-flag').body)).toEqual({
    enable_thinking: false,
    thinking_budget: 5,
  });
});

test('returns the thinking of a turn in its content', () => {
  const turns = [
    { role: 'developer', content: 'be brief' },
    { role: 'assistant', content: 'Yes', reasoning_content: 'Hm.' },
    { role: 'assistant', content: null, reasoning: 'Hm.', tool_calls: [] },
    { role: 'assistant', content: 'No', reasoning_content: null },
    { role: 'user', content: 'reasoning' },
  ];
  const { body } = fitted(JSON.stringify({ messages: turns }), 'no-developer-role', 'thinking-in-content');
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
  expect(JSON.parse(body).messages).toEqual([
    { role: 'system', content: 'be brief' },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes' }] },
    { role: 'assistant', content: [thinking], tool_calls: [] },
    { role: 'assistant', content: 'No' },
    { role: 'user', content: 'reasoning' },
  ]);
});
