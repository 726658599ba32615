import { describe, expect, test } from 'bun:test';
import { createMessagesWireCodec } from './create-messages-wire-codec.ts';
import { MessagesFrameReader } from './messages-frame-reader.ts';

type Event = Record<string, unknown> & { type: string };

const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const message = { id: 'up', type: 'message', role: 'assistant', model: 'up', content: [] };
const start = {
  type: 'message_start',
  message: { ...message, usage: { input_tokens: 3, output_tokens: 1 } },
};
const open = (index: number, content_block: object = { type: 'text', text: '' }) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const says = (index: number, text: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});
const close = (index: number) => ({ type: 'content_block_stop', index });
const ending = {
  type: 'message_delta',
  delta: { stop_reason: 'max_tokens', stop_sequence: null },
  usage: { output_tokens: 2 },
};
const stop = { type: 'message_stop' };

const frame = (event: Event) => ({ event: event.type, data: JSON.stringify(event) });

function readerFor({ showsThinking = true } = {}) {
  const { streamDecoder } = createMessagesWireCodec();
  const label = { id: 'msg_ours', model: 'asked-for', estimate };
  return new MessagesFrameReader({ decode: streamDecoder(), label, showsThinking });
}

/** Returns the events that the client receives, as types and block numbers. */
function shown(events: readonly Event[], options?: { showsThinking: boolean }): string[] {
  const reader = readerFor(options);
  const text = events.map((event) => reader.read(frame(event)).text).join('');
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
    const { type, index } = JSON.parse(data!);
    return index === undefined ? type : `${type} ${index}`;
  });
}

const inOrder = [start, open(0), says(0, 'a'), close(0), ending, stop];
const types = inOrder.map(({ type, ...rest }) => ('index' in rest ? `${type} ${rest.index}` : type));

describe('a messages stream on its own wire', () => {
  test('is passed on unchanged if it is in order', () => {
    expect(shown(inOrder)).toEqual(types);
  });

  test('gets the members of a start that clients need before the first block', () => {
    const startOf = (message: object) =>
      JSON.parse(
        readerFor()
          .read(frame({ type: 'message_start', message }))
          .text.split('data: ')[1]!,
      ).message;
    expect(startOf({})).toMatchObject({ type: 'message', role: 'assistant', content: [] });
    const content = [{ type: 'text', text: 'a' }];
    expect(startOf({ content, role: 'model' })).toMatchObject({ role: 'assistant', content });
  });

  test('keeps the stop reason of a start that carries the answer [STR-29]', () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } }];
    const carried = { ...start.message, content, stop_reason: 'tool_use', stop_sequence: null };
    const reader = readerFor();
    const first = reader.read(frame({ ...start, message: carried }));
    expect(first.begins).toBeTrue();
    expect(JSON.parse(/^data: (.*)$/m.exec(first.text)![1]!).message).toMatchObject({
      content,
      stop_reason: 'tool_use',
    });
    expect(reader.read(frame(stop))).toMatchObject({
      text: expect.not.stringContaining('message_delta'),
      ends: true,
    });
  });

  test.each([
    ['has no start', inOrder.slice(1)],
    ['starts twice', [start, ...inOrder]],
    ['starts twice under two ids', [{ ...start, message: { ...start.message, id: 'up2' } }, ...inOrder]],
    ['begins with the end of a block', [close(0), ...inOrder.slice(1)]],
    ['never opens its block', inOrder.filter(({ type }) => type !== 'content_block_start')],
    ['never closes its block', inOrder.filter(({ type }) => type !== 'content_block_stop')],
    ['closes its block twice', [start, open(0), says(0, 'a'), close(0), close(0), ending, stop]],
    ['has no stop reason', inOrder.filter(({ type }) => type !== 'message_delta')],
  ])('is put in order if it %s [STR-02] [STR-03] [STR-04]', (_, events) => {
    expect(shown(events)).toEqual(types);
  });

  test('gets a start with the labels of the gateway and valid counts', () => {
    const { text } = readerFor().read(frame(open(0)));
    expect(JSON.parse(/^data: (.*)$/m.exec(text)![1]!).message).toMatchObject({
      id: 'msg_ours',
      model: 'asked-for',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
    });
  });

  test('stops with tool_use and its usage if the upstream omits the stop reason', () => {
    const reader = readerFor();
    const call = { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} };
    for (const event of [start, open(0, call), close(0)]) reader.read(frame(event));
    const { text, usage, closes, ends } = reader.read(frame(stop));
    expect(JSON.parse(/^data: (.*)$/m.exec(text)![1]!)).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 3 },
    });
    expect({ uncached: usage?.input.uncached, closes, ends }).toEqual({
      uncached: 3,
      closes: true,
      ends: true,
    });
  });

  test('closes a block before the next one opens', () => {
    expect(shown([start, open(0), says(0, 'a'), open(1), says(1, 'b')])).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
    ]);
  });

  test('hides thinking that was not requested, even if its block is never closed', () => {
    const thinking = open(0, { type: 'thinking', thinking: '', signature: '' });
    const events = [start, thinking, open(1), says(1, 'a'), close(1), ending, stop];
    expect(shown(events, { showsThinking: false })).toEqual(types);
  });

  test.each([
    [
      'a delta for a call that was never opened',
      { index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
    ],
    ['a delta without a type', { index: 0, delta: { text: 'a' } }],
    ['a delta without an index', { delta: { type: 'text_delta', text: 'a' } }],
  ])('fails at %s [STR-18]', (_, fields) => {
    const reader = readerFor();
    reader.read(frame(start));
    expect(() => reader.read(frame({ type: 'content_block_delta', ...fields }))).toThrow(SyntaxError);
  });

  test('fails at text after the end of its block [STR-18]', () => {
    expect(() => shown([start, open(0), close(0), says(0, 'a')])).toThrow(SyntaxError);
  });

  test('fails at a start without a message, and at a block without an integer as its number [STR-18]', () => {
    expect(() => shown([{ type: 'message_start', message: [] }])).toThrow(SyntaxError);
    expect(() => shown([start, open(1.5)])).toThrow(SyntaxError);
  });

  test('gets whole numbers as counts at its end', () => {
    const reader = readerFor();
    for (const event of [start, open(0), says(0, 'abcd'), close(0)]) reader.read(frame(event));
    const { text } = reader.read(frame({ ...ending, usage: { output_tokens: 1.5 } }));
    expect(JSON.parse(text.slice(text.indexOf('{'))).usage.output_tokens).toBe(1);
  });

  test('fails at a block after the reason of the end [STR-18]', () => {
    expect(() => shown([ending, start, open(0)])).toThrow(SyntaxError);
  });

  test('fails at an event type with a line break [STR-18]', () => {
    expect(() => shown([start, { type: 'ping\ndata: {}' }])).toThrow(SyntaxError);
  });

  test('sends the data of each event on one line', () => {
    const data = JSON.stringify(start, null, 2);
    expect(readerFor().read({ event: 'message_start', data }).text).toMatch(
      /^event: message_start\ndata: \{.*\}\n\n$/,
    );
  });
});
