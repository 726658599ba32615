import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Thinking } from '../../canonical/request.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { headsWith } from '../testing/heads-with.ts';
import { contractProblems, eventProblems } from '../testing/openai-contract.ts';
import { createStreamEncoder } from './create-stream-encoder.ts';
import { encodeResponse } from './encode-response.ts';

const headOf = headsWith('resp_123');

// biome-ignore lint/suspicious/noExplicitAny: events are read field by field.
type Event = any;

const visible: Thinking = { mode: 'default', effortIsRequired: true, visible: true };
const start: StreamEvent = { type: 'response-start', responseId: 'up', model: 'upstream' };
const end: StreamEvent = { type: 'response-end', stop: { kind: 'end-turn' } };
const usage: StreamEvent = {
  type: 'usage',
  usage: { input: { uncached: 5, cacheRead: 3, cacheWrite: 2 }, output: { visible: 4, thinking: 6 } },
};
const begin = (index: number, part: PartHead): StreamEvent => ({ type: 'part-start', index, part });
const grow = (index: number, delta: PartDelta): StreamEvent => ({ type: 'part-delta', index, delta });
const text = (index: number, words: string) => grow(index, { kind: 'text', text: words });
const close = (index: number): StreamEvent => ({ type: 'part-end', index });
const call = (name: string, inputKind: 'json' | 'freeform' = 'json'): PartHead => ({
  kind: 'tool-call',
  callId: 'call_1',
  name,
  inputKind,
});

const framesOf = (events: StreamEvent[], head: ResponseHead): Frame[] =>
  events.flatMap(createStreamEncoder(head));
const eventsOf = (events: StreamEvent[], head = headOf()): Event[] =>
  framesOf(events, head).map(({ data }) => JSON.parse(data));

/**
 * Expects consecutive sequence numbers, the published shapes, and a last event that equals the unary answer.
 */
function expectSound(events: StreamEvent[], head: ResponseHead): Event[] {
  const sent = eventsOf(events, head);
  expect(sent.map(({ sequence_number }) => sequence_number)).toEqual(sent.map((_, index) => index));
  for (const event of sent) expect(eventProblems(event)).toEqual([]);
  const answer = collect(events);
  if (!('parts' in answer)) throw new Error(answer.code);
  const whole = JSON.parse(JSON.stringify(encodeResponse(answer, head)));
  // The answer is encoded twice, maybe in different seconds.
  const isCompleted = whole.status === 'completed';
  const ended = { completed_at: isCompleted ? expect.any(Number) : null };
  expect(sent.at(-1).response).toEqual({ ...whole, ...ended });
  expect(contractProblems('Response', sent.at(-1).response)).toEqual([]);
  const done = sent.filter(({ type }) => type === 'response.output_item.done');
  expect(
    done.toSorted((one, other) => one.output_index - other.output_index).map(({ item }) => item),
  ).toEqual(sent.at(-1).response.output);
  return sent;
}

const ladder = (sent: Event[]): string[] => sent.map(({ type }) => type.replace('response.', ''));

test('sends every event of a text [STR-10] [STR-11]', () => {
  const sent = expectSound(
    [start, begin(0, { kind: 'text' }), text(0, 'he'), text(0, 'llo'), close(0), usage, end],
    headOf(),
  );
  expect(ladder(sent)).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ]);
  const { response } = sent.at(-1);
  expect(response.output).toEqual([
    {
      id: 'msg_123_0',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'hello', annotations: [], logprobs: [] }],
    },
  ]);
  expect(response.output_text).toBe('hello');
  expect(response.usage).toEqual({
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 6 },
    total_tokens: 20,
  });
});

test('names every frame after its event', () => {
  for (const { event, data } of framesOf([start, begin(0, { kind: 'text' }), end], headOf()))
    expect(event).toBe(JSON.parse(data).type);
});

test('sends every event of calls, with an empty object for missing arguments', () => {
  const events = [
    start,
    begin(0, call('f')),
    grow(0, { kind: 'tool-input', text: '{"a":' }),
    grow(0, { kind: 'tool-input', text: '1}' }),
    close(0),
    begin(1, call('patch', 'freeform')),
    grow(1, { kind: 'tool-input', text: '*** Begin' }),
    close(1),
    begin(2, call('none')),
    close(2),
    end,
  ];
  const sent = expectSound(events, headOf());
  expect(ladder(sent).slice(2, -1)).toEqual([
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
    'output_item.added',
    'custom_tool_call_input.delta',
    'custom_tool_call_input.done',
    'output_item.done',
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
  ]);
  expect(sent.at(-1).response.output).toMatchObject([
    {
      type: 'function_call',
      id: 'fc_123_0',
      call_id: 'call_1',
      name: 'f',
      arguments: '{"a":1}',
      status: 'completed',
    },
    { type: 'custom_tool_call', id: 'ctc_123_1', name: 'patch', input: '*** Begin' },
    { type: 'function_call', arguments: '{}' },
  ]);
});

const thought = (form: 'full' | 'summary'): StreamEvent[] => [
  start,
  begin(0, { kind: 'thinking', form }),
  grow(0, { kind: 'thinking', text: 'hm' }),
  grow(0, { kind: 'thinking', text: '!' }),
  grow(0, { kind: 'replay-token', replay: { issuer: 'messages', data: 'signature' } }),
  close(0),
  begin(1, { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'sealed' } }),
  close(1),
  begin(2, { kind: 'text' }),
  text(2, 'yes'),
  close(2),
  end,
];

test('sends every event of a reasoning summary', () => {
  const sent = expectSound(thought('summary'), headOf({ thinking: visible }));
  expect(ladder(sent).slice(2, 11)).toEqual([
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'output_item.done',
  ]);
  expect(sent.at(-1).response.output[0]).toMatchObject({
    type: 'reasoning',
    id: 'rs_123_0',
    summary: [{ type: 'summary_text', text: 'hm!' }],
  });
});

test('sends full reasoning as content, or as a summary if the client named one', () => {
  const sent = expectSound(thought('full'), headOf({ thinking: visible }));
  expect(ladder(sent).slice(3, 8)).toEqual([
    'content_part.added',
    'reasoning_text.delta',
    'reasoning_text.delta',
    'reasoning_text.done',
    'content_part.done',
  ]);
  expect(sent.at(-1).response.output[0].content).toEqual([{ type: 'reasoning_text', text: 'hm!' }]);
  const asked = expectSound(thought('full'), headOf({ thinking: { ...visible, display: 'auto' } }));
  expect(asked.at(-1).response.output[0].summary).toEqual([{ type: 'summary_text', text: 'hm!' }]);
});

test('hides reasoning that was not requested', () => {
  const sent = expectSound(thought('full'), headOf());
  expect(JSON.stringify(sent)).not.toMatch(/hm|signature|sealed|"type":"reasoning"/);
  expect(sent.at(-1).response.output).toMatchObject([{ type: 'message', id: 'msg_123_0' }]);
});

test('sends encrypted reasoning without text and restores it on the next turn', () => {
  const head = headOf({}, { include: ['reasoning.encrypted_content'] });
  const sent = expectSound(thought('full'), head);
  expect(JSON.stringify(sent)).not.toContain('hm');
  expect(sent.at(-1).response.output).toMatchObject([
    { type: 'reasoning', summary: [], encrypted_content: expect.stringContaining('tollgate-') },
    { type: 'reasoning', summary: [], encrypted_content: expect.stringContaining('tollgate-') },
    { type: 'message' },
  ]);
});

test('separates interleaved parts and starts a new message after a call', () => {
  const events = [
    start,
    begin(0, { kind: 'text' }),
    text(0, 'a'),
    begin(1, call('f')),
    begin(2, { kind: 'text' }),
    grow(1, { kind: 'tool-input', text: '{}' }),
    text(2, 'c'),
    text(0, 'b'),
    close(2),
    close(0),
    close(1),
    begin(3, { kind: 'refusal' }),
    grow(3, { kind: 'refusal', text: 'no' }),
    end,
  ];
  const sent = expectSound(events, headOf());
  expect(sent.at(-1).response.output).toMatchObject([
    { type: 'message', content: [{ text: 'ab' }] },
    { type: 'function_call' },
    { type: 'message', content: [{ text: 'c' }, { type: 'refusal', refusal: 'no' }] },
  ]);
});

test('encodes citations as annotations: links of every vendor, other forms of its own', () => {
  const link = { issuer: 'messages', url: 'https://a.test/', title: 'A', raw: {} } as const;
  const own = { type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 1 };
  const events = [
    start,
    begin(0, { kind: 'text' }),
    grow(0, { kind: 'citation', citation: { issuer: 'messages', raw: {} } }),
    text(0, 'abc'),
    grow(0, { kind: 'citation', citation: link }),
    grow(0, { kind: 'citation', citation: { issuer: 'responses', raw: own } }),
    text(0, 'def'),
    close(0),
    end,
  ];
  const sent = expectSound(events, headOf());
  const added = sent.filter(({ type }) => type.endsWith('annotation.added'));
  expect(added.map(({ annotation_index }) => annotation_index)).toEqual([0, 1]);
  expect(sent.at(-1).response.output[0].content[0].annotations).toEqual([
    { type: 'url_citation', url: 'https://a.test/', title: 'A', start_index: 0, end_index: 6 },
    own,
  ]);
});

for (const [kind, reason] of [
  ['max-tokens', 'max_output_tokens'],
  ['context-window', 'max_output_tokens'],
  ['content-filter', 'content_filter'],
  ['refusal', 'content_filter'],
] as const) {
  test(`marks the answer as incomplete at the stop ${kind}`, () => {
    const sent = expectSound(
      [start, begin(0, { kind: 'text' }), text(0, 'cu'), close(0), { type: 'response-end', stop: { kind } }],
      headOf(),
    );
    expect(sent.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason },
        output: [{ type: 'message', status: 'incomplete' }],
      },
    });
  });
}

test('ends a failed stream with two error events [STR-14]', () => {
  const refusal = new Refusal('upstream_overloaded');
  const sent = eventsOf([
    start,
    begin(0, { kind: 'text' }),
    text(0, 'ha'),
    { type: 'response-error', refusal },
  ]);
  const { code, message } = refusal;
  const error = { type: 'server_error', code, message, param: null };
  const failed = { id: 'resp_123', status: 'failed', error: { ...error, code: 'rate_limit_exceeded' } };
  expect(sent.slice(-2)).toMatchObject([
    { type: 'error', sequence_number: 5, code, message, param: null, error },
    { type: 'response.failed', sequence_number: 6, response: failed },
  ]);
  expect(sent.at(-1).response.output).toMatchObject([{ status: 'incomplete', content: [{ text: 'ha' }] }]);
  expect(eventProblems(sent.at(-2))).toEqual([]);
});

test('ends a stream that fails before its start with the same two events', () => {
  const sent = eventsOf([{ type: 'response-error', refusal: new Refusal('upstream_timeout') }]);
  expect(ladder(sent)).toEqual(['error', 'failed']);
  expect(sent.map(({ sequence_number }) => sequence_number)).toEqual([0, 1]);
});

test('restores the names of tools in a namespace', () => {
  const tools = [{ kind: 'function', name: 'find', namespace: 'crm' }] as const;
  const sent = expectSound(
    [start, begin(0, call('crm__find')), close(0), end],
    headOf({ tools: [...tools] }),
  );
  expect(sent.at(-1).response.output).toMatchObject([{ namespace: 'crm', name: 'find' }]);
});

test('reports events with missing or unknown fields', () => {
  const delta = { type: 'response.refusal.delta', sequence_number: 0, item_id: 'i', delta: 'no' };
  const whole = { ...delta, output_index: 0, content_index: 0 };
  expect(eventProblems(whole)).toEqual([]);
  for (const wrong of [delta, { ...whole, delta: 1 }, { ...whole, extra: 1 }, { type: 'response.unknown' }])
    expect(eventProblems(wrong)).not.toEqual([]);
});

describe('the envelope', () => {
  const [created] = eventsOf([start]);

  test('has every field that the SDK type requires [RSP-32]', () => {
    const required =
      'id created_at output_text error incomplete_details instructions metadata model object output parallel_tool_calls temperature tool_choice tools top_p status';
    for (const name of required.split(' ')) expect(created.response).toHaveProperty(name);
    expect(contractProblems('Response', created.response)).toEqual([]);
  });

  test('repeats the options of the request and the defaults of missing ones [RSP-08] [RSP-09]', () => {
    const sent = {
      store: false,
      previous_response_id: 'resp_1',
      instructions: 'be brief',
      temperature: 0.5,
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'g' },
      ],
      tool_choice: { type: 'function', name: 'f' },
      reasoning: { effort: 'low' },
      text: { verbosity: 'low' },
      metadata: { a: 'b' },
      user: 'u',
    };
    const [first, , last] = eventsOf([start, end], headOf({}, sent));
    for (const { response } of [first, last]) {
      expect(response).toMatchObject({
        ...sent,
        tools: [
          { type: 'function', name: 'f', description: null, strict: false, parameters: null },
          { type: 'custom', name: 'g', format: { type: 'text' } },
        ],
        reasoning: { effort: 'low', summary: null },
        text: { format: { type: 'text' }, verbosity: 'low' },
      });
      expect(contractProblems('Response', response)).toEqual([]);
    }
    expect(eventsOf([start])[0].response).toMatchObject({ store: true, previous_response_id: null });
  });
});
