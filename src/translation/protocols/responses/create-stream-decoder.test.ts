import { expect, test } from 'bun:test';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY } from '../../contract/frame.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

const decode = (events: unknown[]): StreamEvent[] =>
  events.map((event) => ({ data: JSON.stringify(event) })).flatMap(createStreamDecoder());

function answerOf(events: StreamEvent[]): CanonicalResponse {
  const answer = collect(events);
  if (!('parts' in answer)) throw new Error(answer.code);
  return answer;
}

/** Expects each part's start, deltas and end in order, and exactly one final event. */
function expectOrder(events: StreamEvent[]): void {
  const open = new Set<number>();
  let next = 0;
  expect(events[0]?.type).toBe('response-start');
  expect(events.filter(({ type }) => /^response-(end|error)$/.test(type))).toHaveLength(1);
  expect(events.at(-1)?.type).toMatch(/^response-(end|error)$/);
  for (const event of events) {
    if (event.type === 'part-start') {
      expect(event.index).toBe(next++);
      open.add(event.index);
    } else if (event.type === 'part-delta') expect(open.has(event.index)).toBe(true);
    else if (event.type === 'part-end') expect(open.delete(event.index)).toBe(true);
  }
  expect(open.size).toBe(0);
}

test('rejects an error in place of an answer and a frame without JSON', () => {
  expect(() => splitAnswer('{"error":{"message":"no","type":"invalid_request_error"}}')).toThrow(SyntaxError);
  expect(() => createStreamDecoder()({ data: '{"type":"response.created"' })).toThrow(SyntaxError);
});

const created = { type: 'response.created', response: { id: 'r', model: 'm' } };
const completed = (fields: object = {}) => ({
  type: 'response.completed',
  response: { id: 'r', model: 'm', status: 'completed', output: [], ...fields },
});

test('passes on an answer that only the last event contains', () => {
  const output = [
    {
      type: 'message',
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'refusal', refusal: 'no' },
      ],
    },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  ];
  const events = decode([created, completed({ output })]);
  expectOrder(events);
  expect(answerOf(events)).toMatchObject({
    parts: [
      { kind: 'text', text: 'a' },
      { kind: 'refusal', text: 'no' },
      { kind: 'tool-call', callId: 'c', name: 'f', input: { kind: 'json', text: '{}' } },
    ],
    stop: { kind: 'tool-call' },
  });
});

test('reads streams without item indexes, content starts and a created event', () => {
  const call = { type: 'function_call', id: 'x', call_id: 'c', name: 'f', arguments: '' };
  const events = decode([
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'he' },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'llo' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', content: [] } },
    { type: 'response.output_item.added', output_index: 0, item: call },
    { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":1}' },
    { type: 'response.output_item.done', output_index: 0, item: { ...call, arguments: '{"a":1}' } },
    { type: 'response.brand_new', output_index: 0 },
    completed({ output: [{ type: 'message' }, call] }),
    created,
  ]);
  expectOrder(events);
  expect(answerOf(events).parts).toMatchObject([
    { kind: 'text', text: 'hello' },
    { kind: 'tool-call', input: { text: '{"a":1}' } },
  ]);
});

test('keeps the arguments of interleaved parallel calls', () => {
  const call = (index: number) => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '' },
  });
  const delta = (index: number, text: string) => ({
    type: 'response.function_call_arguments.delta',
    output_index: index,
    delta: text,
  });
  const events = decode([
    created,
    call(0),
    call(1),
    delta(1, '[1'),
    delta(0, '[0'),
    delta(0, ']'),
    delta(1, ']'),
    completed(),
  ]);
  expectOrder(events);
  expect(answerOf(events).parts).toMatchObject([{ input: { text: '[0]' } }, { input: { text: '[1]' } }]);
});

test('joins the sections of a summary as paragraphs, streamed and whole', () => {
  const delta = (index: number, text: string) => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index: index,
    delta: text,
  });
  const summary = ['one', 'two'].map((text) => ({ type: 'summary_text', text }));
  const item = { type: 'reasoning', id: 'rs', summary };
  const streamed = decode([
    created,
    delta(0, 'one'),
    delta(1, 'two'),
    { type: 'response.output_item.done', output_index: 0, item },
    completed(),
  ]);
  expect(answerOf(streamed).parts).toEqual([{ kind: 'thinking', form: 'summary', text: 'one\n\ntwo' }]);
  expect(answerOf(decode([created, completed({ output: [item] })])).parts).toEqual(answerOf(streamed).parts);
});

const failures: [name: string, event: object, code: string][] = [
  ['a flat error', { type: 'error', code: 'server_is_overloaded', message: 'secret' }, 'upstream_overloaded'],
  [
    'a nested error',
    { type: 'error', error: { type: 'rate_limit_error', message: 'secret' } },
    'upstream_overloaded',
  ],
  ['an error without a type', { error: { message: 'secret' } }, 'upstream_unavailable'],
  [
    'a failed response',
    { type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'secret' } } },
    'context_length_exceeded',
  ],
  [
    'a long prompt, recognised by the message',
    { type: 'error', message: 'exceeds the context window, secret' },
    'context_length_exceeded',
  ],
  ['a filtered prompt', { type: 'error', code: 'invalid_prompt', message: 'secret' }, 'content_filter'],
];
for (const [name, event, code] of failures) {
  test(`ends the stream at ${name} with ${code} and hides the upstream message`, () => {
    const events = decode([created, event, completed()]);
    expectOrder(events);
    const last = events.at(-1);
    if (last?.type !== 'response-error') throw new Error('no error');
    expect<string>(last.refusal.code).toBe(code);
    expect(last.refusal.message).not.toContain('secret');
  });
}

const stops: [object, string][] = [
  [{ status: 'completed' }, 'end-turn'],
  [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'max-tokens'],
  [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content-filter'],
  [{ status: 'incomplete', incomplete_details: { reason: 'new' } }, 'other'],
];
for (const [fields, kind] of stops) {
  test(`maps ${JSON.stringify(fields)} to the stop ${kind}`, () =>
    expect<string>(answerOf(decode([created, completed(fields)])).stop.kind).toBe(kind));
}

test('throws if the body ends before the answer', () => {
  const decoder = createStreamDecoder();
  decoder({ data: JSON.stringify(created) });
  expect(() => decoder(END_OF_BODY)).toThrow(SyntaxError);
  decoder({ data: JSON.stringify(completed()) });
  expect(decoder(END_OF_BODY)).toEqual([]);
});

test('throws at an event of another protocol', () => {
  for (const event of [{}, [], 'x', { type: 7 }]) expect(() => decode([event])).toThrow(SyntaxError);
  for (const text of ['x', '[]', '{}', '{"status":"queued","output":[]}'])
    expect(() => splitAnswer(text)).toThrow(SyntaxError);
});
