import { expect, test } from 'bun:test';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import { MessagesStreamDecoder } from './messages-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 3, output_tokens: 1 } },
};
const open = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const grow = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const close = (index: number) => ({ type: 'content_block_stop', index });
const stop = { type: 'message_stop' };
const text = { type: 'text', text: '' };

function decode(...events: object[]): StreamEvent[] {
  const decoder = new MessagesStreamDecoder();
  return events.flatMap((event) => decoder.read({ data: JSON.stringify(event) }));
}
const parts = (...events: object[]) => (collect(decode(start, ...events, stop)) as CanonicalResponse).parts;

test('reads the content in the opening event of a block', () => {
  expect(
    parts(open(0, { type: 'text', text: 'a' }), grow(0, { type: 'text_delta', text: 'b' }), close(0)),
  ).toEqual([{ kind: 'text', text: 'ab' }]);
  expect(parts(open(0, { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 } }), close(0))).toEqual([
    { kind: 'tool-call', callId: 'x', name: 'f', input: { kind: 'json', text: '{"a":1}' } },
  ]);
});

test('reads an answer that its start carries whole [STR-29]', () => {
  const content = [
    { type: 'code_execution_tool_result', tool_use_id: 's', content: { type: 'code_execution_result' } },
    { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 } },
    { type: 'text', text: '' },
  ];
  const message = { ...start.message, content, stop_reason: 'tool_use', stop_sequence: null };
  expect(collect(decode({ ...start, message }, stop))).toMatchObject({
    parts: [
      { kind: 'opaque', block: content[0] },
      { kind: 'tool-call', callId: 'x', name: 'f', input: { kind: 'json', text: '{"a":1}' } },
    ],
    stop: { kind: 'tool-call' },
  });
});

test('keeps the text of blocks that lack an opening or end, or opened as another type', () => {
  expect(
    parts(
      grow(0, { type: 'thinking_delta', thinking: 'hm' }),
      grow(0, { type: 'text_delta', text: 'a' }),
      open(1, text),
      grow(1, { type: 'text_delta', text: 'b' }),
    ),
  ).toEqual([
    { kind: 'thinking', form: 'full', text: 'hm' },
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'b' },
  ]);
});

test('ignores unknown events, blocks and deltas as well as a second ending', () => {
  const events = decode(
    start,
    { type: 'ping' },
    { type: 'news' },
    open(0, text),
    grow(0, { type: 'odd' }),
    stop,
    stop,
  );
  expect(events.map(({ type }) => type)).toEqual([
    'response-start',
    'usage',
    'part-start',
    'part-end',
    'response-end',
  ]);
});

test('starts one answer at a repeated message_start', () => {
  expect(decode(start, start, stop).filter(({ type }) => type === 'response-start').length).toBe(1);
});

test.each([
  ['overloaded_error', 'Overloaded', 'upstream_overloaded'],
  ['rate_limit_error', '', 'upstream_overloaded'],
  ['timeout_error', '', 'upstream_timeout'],
  ['invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum', 'context_length_exceeded'],
  ['invalid_request_error', 'Output blocked by content filtering policy', 'content_filter'],
  ['api_error', 'Internal server error', 'upstream_unavailable'],
])('refuses an error of type %s (%s) with %s and the message of the gateway', (type, message, code) => {
  const events = decode(start, { type: 'error', error: { type, message } }, stop);
  expect(events.at(-1)).toMatchObject({ type: 'response-error', refusal: { code } });
  if (message)
    expect(JSON.stringify((events.at(-1) as { refusal: { message: string } }).refusal.message)).not.toContain(
      message,
    );
  expect(splitAnswer(JSON.stringify({ type: 'error', error: { type, message } })).length).toBe(1);
});

test('throws at an invalid event or answer', () => {
  const decoder = new MessagesStreamDecoder();
  for (const data of ['', 'nonsense', '[]', 'null', '{"type":']) {
    expect(() => decoder.read({ data })).toThrow(SyntaxError);
    expect(() => splitAnswer(data)).toThrow(SyntaxError);
  }
  expect(() => splitAnswer('{"id":"msg_1"}')).toThrow(SyntaxError);
});

test('merges usage over all events', () => {
  const usage = { input_tokens: null, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } };
  const events = decode(start, { type: 'message_delta', delta: {}, usage }, stop);
  expect((collect(events) as CanonicalResponse).usage).toEqual({
    input: { uncached: 3, cacheRead: undefined, cacheWrite: undefined },
    output: { visible: 5, thinking: 4 },
  });
});

test('keeps the numbers in the input of a call in a whole answer', () => {
  const block =
    '{"type":"tool_use","id":"x","name":"f","input":{ "n": 12345678901234567890,\n "t": "a  b" }}';
  const decoder = new MessagesStreamDecoder();
  const events = splitAnswer(`{"id":"msg_1","content":[${block}]}`).flatMap((frame) => decoder.read(frame));
  expect((collect(events) as CanonicalResponse).parts).toMatchObject([
    { input: { text: '{"n":12345678901234567890,"t":"a  b"}' } },
  ]);
});
