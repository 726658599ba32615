import { expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { Quirk } from '../../canonical/quirk.ts';
import { type Fitted, fitHost } from './fit-host.ts';

const fitted = (body: string, ...quirks: Quirk[]) => fitHost(body, quirks) as Fitted;

test('a host without quirks, or with those that the body does not touch, gets the very bytes', () => {
  const body = '{ "model":"m",\n "messages": [ {"role":"user","content":"\\u0041 1.0"} ] }';
  for (const quirks of [[], ['max-tokens-only', 'no-developer-role', 'random-seed']] as Quirk[][])
    expect(fitted(body, ...quirks)).toEqual({ body, losses: [] });
});

test('the ceiling has the name that the host knows', () => {
  expect(fitted('{"max_completion_tokens":5,"model":"m"}', 'max-tokens-only').body).toBe(
    '{"model":"m","max_tokens":5}',
  );
  expect(fitted('{"model":"m","max_tokens":5}', 'max-completion-tokens-only').body).toBe(
    '{"model":"m","max_completion_tokens":5}',
  );
  const both = '{"max_tokens":7,"max_completion_tokens":5}';
  expect(fitted(both, 'max-completion-tokens-only').body).toBe('{"max_completion_tokens":5}');
});

test('a seed, stream options and parallel calls go as the host has it', () => {
  const body = '{"seed":1,"stream_options":{"include_usage":true},"parallel_tool_calls":false}';
  expect(fitted(body, 'random-seed', 'no-stream-options', 'no-parallel-tool-calls')).toEqual({
    body: '{"random_seed":1}',
    losses: ['parallel-tool-calls'],
  });
  expect(fitted('{"a":1,"parallel_tool_calls":true}', 'no-parallel-tool-calls').losses).toEqual([]);
});

test('the role of a developer becomes that of the system, and nothing else of a conversation changes', () => {
  const body =
    '{"messages":[{"role":"developer","content":"be \\"developer\\" 1.0"}, {"role":"user","content":"developer"}]}';
  expect(fitted(body, 'no-developer-role').body).toBe(
    '{"messages":[{"role":"system","content":"be \\"developer\\" 1.0"},{"role":"user","content":"developer"}]}',
  );
});

test('a host that rejects fields gets none that it may not know; what that loses is told', () => {
  const body = '{"model":"m","colour":"red","store":true,"user":null,"logprobs":false,"tools":[]}';
  expect(fitted(body, 'rejects-unknown-fields')).toEqual({
    body: '{"model":"m","tools":[]}',
    losses: ['store'],
  });
});

test('what cannot be left out without another answer is refused', () => {
  const refusal = fitHost('{"model":"m","logprobs":true}', ['rejects-unknown-fields']);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).details.param).toBe('logprobs');
});

test('a message in which a name stands twice is what its last value says', () => {
  const body = '{"messages":[{"role":"user","role":"developer","content":"a","content":"b"}]}';
  expect(fitted(body, 'no-developer-role').body).toBe('{"messages":[{"role":"system","content":"b"}]}');
});
