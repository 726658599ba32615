import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameReader } from '../../contract/frame-reader.ts';
import { contractProblems } from '../testing/openai-contract.ts';
import { ResponsesFrameReader } from './responses-frame-reader.ts';

const label = { id: 'resp_ours', model: 'asked-for' };
const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const readerFor = (asked: JsonObject = {}) =>
  new ResponsesFrameReader({
    label: { ...label, estimate },
    requestBody: asked,
    view: { showsThinking: asked.reasoning != null, showsEncrypted: asked.include != null },
  });

/** Returns the data of each sent event, as text and as a parsed value. */
function dataOf(text: string): { text: string; value: JsonObject & { response?: JsonObject } }[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice(event.indexOf('data: ') + 'data: '.length))
    .map((data) => ({ text: data, value: JSON.parse(data) }));
}

const readAll = (frames: readonly Frame[], reader: FrameReader) => frames.map((frame) => reader.read(frame));

const frame = (data: JsonObject) => ({ event: String(data.type), data: JSON.stringify(data) });
const response = (fields: JsonObject = {}) => ({
  id: 'up',
  model: 'up',
  status: 'in_progress',
  output: [],
  ...fields,
});
const thought = (fields: JsonObject) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...fields });
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hi' }],
};
const secret = thought({
  content: [{ type: 'reasoning_text', text: 'secret' }],
  encrypted_content: 'sealed',
});
/** The stream of a host that sends reasoning without being asked. */
const talkative = [
  { type: 'response.created', response: response() },
  { type: 'response.output_item.added', output_index: 0, item: thought({ encrypted_content: 'sealed' }) },
  { type: 'response.content_part.added', output_index: 0, part: { type: 'reasoning_text', text: '' } },
  { type: 'response.reasoning_text.delta', output_index: 0, delta: 'secret' },
  { type: 'response.output_item.done', output_index: 0, item: secret },
  { type: 'response.output_item.added', output_index: 1, item: { ...said, content: [] } },
  { type: 'response.output_text.delta', output_index: 1, delta: 'hi' },
  { type: 'response.output_item.done', output_index: 1, item: said },
  {
    type: 'response.completed',
    response: response({
      status: 'completed',
      output: [secret, said],
      usage: { input_tokens: 2, output_tokens: 1 },
    }),
  },
].map((event, sequence_number) => frame({ ...event, sequence_number }));

describe('reasoning that was not requested', () => {
  const reader = readerFor();
  const meanings = readAll(talkative, reader);
  const events = dataOf(meanings.map(({ text }) => text).join(''));

  test('is hidden without a gap in the numbers of events [STR-11] [RSP-24]', () => {
    expect(events.map(({ value }) => value.sequence_number)).toEqual([...events.keys()]);
    expect(events).toHaveLength(talkative.length - 2);
    expect(JSON.stringify(events)).not.toMatch(/secret|sealed/);
  });

  test('is stored for later turns', () => {
    const { answer, usage, closes, ends } = meanings.at(-1)!;
    expect(JSON.parse(answer!.items)).toEqual([secret, said]);
    expect(events.at(-1)!.text).toContain(answer!.envelope);
    expect({ closes, ends, uncached: usage?.input.uncached }).toEqual({
      closes: true,
      ends: true,
      uncached: 2,
    });
  });

  test('is not stored if the response is not stored', () => {
    const last = readAll(talkative, readerFor({ store: false })).at(-1)!;
    expect(last.answer).toBeUndefined();
  });
});

test('adds the members that the schema requires to each response of a stream, as to a whole answer', () => {
  const sent = ['in_progress', 'completed'].map((status) =>
    frame({
      type: status === 'completed' ? 'response.completed' : 'response.created',
      response: {
        id: 'up',
        object: 'response',
        model: 'up',
        status,
        ...(status === 'completed' && { output: -1 }),
      },
    }),
  );
  const text = readAll(sent, readerFor({ temperature: 0.5 })).map((meaning) => meaning.text);
  const [created, completed] = dataOf(text.join('')).map(({ value }) => value.response!);
  for (const shown of [created, completed]) expect(contractProblems('Response', shown)).toEqual([]);
  expect(created).toMatchObject({
    temperature: 0.5,
    completed_at: null,
    error: null,
    tools: [],
    metadata: {},
  });
  expect(completed!.completed_at).toBeNumber();
});

test.each(['response.created', 'response.completed'])('fails at %s without a response [STR-18]', (type) => {
  for (const odd of [-1, 'x', []])
    expect(() => readerFor().read(frame({ type, response: odd }))).toThrow(SyntaxError);
});

test('adds the members that the schema requires of the messages in a finished response [RSP-35]', () => {
  const outputOf = (fields: JsonObject) => {
    const sent = frame({ type: `response.${fields.status}`, response: response(fields) });
    return dataOf(readerFor().read(sent).text)[0]!.value.response!.output;
  };
  const part = { type: 'output_text', text: 'hi', annotations: [], logprobs: [] };
  expect(outputOf({ status: 'completed', output: [said] })).toEqual([
    { ...said, status: 'completed', content: [part] },
  ]);
  const { role, ...unnamed } = said;
  expect(outputOf({ status: 'incomplete', output: [said, unnamed] })).toEqual([
    { ...said, status: 'completed', content: [part] },
    { ...said, status: 'incomplete', content: [part] },
  ]);
});

test('a null in place of encrypted reasoning is left out', () => {
  const item = thought({ encrypted_content: null });
  const [added, done] = ['added', 'done'].map((step) =>
    frame({ type: `response.output_item.${step}`, output_index: 0, item }),
  );
  const asked = { reasoning: {}, include: ['reasoning.encrypted_content'] };
  const completed = frame({
    type: 'response.completed',
    response: response({ status: 'completed', output: [item] }),
  });
  const text = readAll([added!, done!, completed], readerFor(asked)).map(({ text }) => text);
  expect(text.join('')).not.toContain('encrypted_content');
});

test('passes on the same bytes if the client asked for all reasoning', () => {
  const reader = readerFor({ reasoning: {}, include: [] });
  const [first, ...others] = talkative.slice(0, -1);
  reader.read(first!);
  for (const { event, data } of others)
    expect(reader.read({ event, data }).text).toBe(`event: ${event}\ndata: ${data}\n\n`);
});

describe('a stream that fails', () => {
  const refusal = new Refusal('upstream_overloaded');

  test('ends with two error events before its start [STR-15]', () => {
    const [error, failed] = dataOf(readerFor({ previous_response_id: 'resp_1' }).fail!(refusal));
    expect(error!.value).toMatchObject({ type: 'error', sequence_number: 0, code: 'upstream_overloaded' });
    expect(failed!.value).toMatchObject({
      type: 'response.failed',
      sequence_number: 1,
      response: {
        ...label,
        status: 'failed',
        previous_response_id: 'resp_1',
        output: [],
        error: { code: 'rate_limit_exceeded' },
      },
    });
  });

  test('continues the numbering and includes the finished items [STR-14]', () => {
    const reader = readerFor();
    for (const each of talkative.slice(0, -1)) reader.read(each);
    const [error, failed] = dataOf(reader.fail!(refusal));
    expect({ error: error!.value.sequence_number, failed: failed!.value.sequence_number }).toEqual({
      error: 6,
      failed: 7,
    });
    expect(failed!.value.response).toMatchObject({ ...label, status: 'failed' });
    expect(failed!.value.response!.output).toEqual([thought({}), said]);
  });
});

test('includes a partial message', () => {
  const reader = readerFor();
  const more = (fields: JsonObject) => frame({ output_index: 1, ...fields });
  for (const each of talkative.slice(0, 7)) reader.read(each);
  reader.read(more({ type: 'response.output_text.delta', delta: ' there' }));
  reader.read(more({ type: 'response.refusal.delta', content_index: 1, delta: 'no' }));
  const [, failed] = dataOf(reader.fail!(new Refusal('upstream_timeout')));
  const text = { type: 'output_text', text: 'hi there', annotations: [], logprobs: [] };
  expect(failed!.value.response!.output).toEqual([
    thought({}),
    { ...said, status: 'incomplete', content: [text, { type: 'refusal', refusal: 'no' }] },
  ]);
});

test('restores items that the last event omits from the stream', () => {
  for (const output of [[], undefined]) {
    const reader = readerFor();
    for (const each of talkative.slice(0, -1)) reader.read(each);
    const last = { type: 'response.completed', response: response({ status: 'completed', output }) };
    const { text, answer } = reader.read(frame(last));
    expect(dataOf(text)[0]!.value.response!.output).toEqual([thought({}), said]);
    expect(JSON.parse(answer!.envelope).output).toEqual([thought({}), said]);
    expect(JSON.parse(answer!.items)).toEqual([secret, said]);
  }
});

test('numbers events from 0, including a failure that replaces the last event', () => {
  const reader = readerFor({ reasoning: {}, include: [] });
  const texts = talkative.slice(1).map((each) => reader.read(each).text);
  const sent = dataOf(texts.slice(0, -1).join('') + reader.fail!(new Refusal('capacity_unavailable')));
  expect(sent.map(({ value }) => value.sequence_number)).toEqual([...sent.keys()]);
});

describe('events in unusual forms', () => {
  const created = { type: 'response.created', response: response(), sequence_number: 0 };
  const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'hi', sequence_number: 1 };

  test('are written on one line each', () => {
    const reader = readerFor();
    for (const event of [created, delta])
      expect(reader.read({ event: event.type, data: JSON.stringify(event, null, 2) }).text).toMatch(
        /^event: \S+\ndata: \{.*\}\n\n$/,
      );
  });

  test('get their type in the data if the upstream only names them', () => {
    const { type, ...untyped } = delta;
    const reader = readerFor();
    reader.read(frame(created));
    const [reported] = dataOf(reader.read({ event: type, data: JSON.stringify(untyped) }).text);
    expect(reported!.value).toEqual(delta);
  });

  test('fail if their type contains a line break [STR-18]', () => {
    expect(() => readerFor().read(frame({ type: 'response.odd\ndata: {}' }))).toThrow(SyntaxError);
  });

  test('are numbered only when sent, so that an error after a broken event has the next number [STR-11] [STR-18]', () => {
    const reader = readerFor();
    reader.read(frame(created));
    const twice = '{"type":"response.odd","sequence_number":1,"sequence_number":9}';
    expect(() => reader.read({ event: 'response.odd', data: twice })).toThrow(SyntaxError);
    const failed = dataOf(reader.fail!(new Refusal('upstream_unavailable')));
    expect(failed.map(({ value }) => value.sequence_number)).toEqual([1, 2]);
  });
});

test('adds the log probabilities that a host omits from the end of a text', () => {
  const done = {
    type: 'response.output_text.done',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    text: 'hi',
  };
  const [shown] = dataOf(readerFor().read(frame(done)).text);
  expect(shown!.value).toMatchObject({ ...done, logprobs: [] });
});
