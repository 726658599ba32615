import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { Thinking } from '../../canonical/request.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { unpackReplay } from '../../encoding/replay-token.ts';
import { headsWith } from '../testing/heads-with.ts';
import { encodeResponse } from './encode-response.ts';
import { MessagesStreamEncoder } from './messages-stream-encoder.ts';
import { readMessage } from './testing/read-message.ts';

const visible: Thinking = { mode: 'enabled', effortIsRequired: false, visible: true };
const omitted: Thinking = { mode: 'adaptive', effortIsRequired: false, visible: false, display: 'omitted' };

const headWith = headsWith('msg_1');
const headOf = (thinking?: Thinking): ResponseHead => headWith(thinking && { thinking });

const begin: StreamEvent = { type: 'response-start', responseId: 'x', model: 'y' };
const start = (index: number, part: PartHead): StreamEvent => ({ type: 'part-start', index, part });
const grow = (index: number, delta: PartDelta): StreamEvent => ({ type: 'part-delta', index, delta });
const end = (index: number): StreamEvent => ({ type: 'part-end', index });
const stop: StreamEvent = { type: 'response-end', stop: { kind: 'end-turn' } };
const call = (callId: string): PartHead => ({ kind: 'tool-call', callId, name: 'f', inputKind: 'json' });
const foreign = { issuer: 'google', data: 'call:abc' } as const;

const encode = (events: StreamEvent[], thinking?: Thinking) => {
  const encoder = new MessagesStreamEncoder(headOf(thinking));
  return events.flatMap((event) => encoder.encode(event));
};
const types = (events: StreamEvent[], thinking?: Thinking) =>
  encode(events, thinking).map(({ data }) => {
    const { type, delta } = JSON.parse(data);
    return type === 'content_block_delta' ? delta.type : type;
  });

function whole(events: StreamEvent[], thinking?: Thinking): unknown {
  return JSON.parse(stringifyWithRaw(encodeResponse(collect(events) as CanonicalResponse, headOf(thinking))));
}

const everything: StreamEvent[] = [
  begin,
  { type: 'usage', usage: { input: { uncached: 5, cacheRead: 2 }, output: { visible: 1 } } },
  start(0, { kind: 'thinking', form: 'summary' }),
  grow(0, { kind: 'thinking', text: 'hm' }),
  grow(0, { kind: 'replay-token', replay: { issuer: 'responses', itemId: 'rs_1', data: 'enc' } }),
  end(0),
  start(1, { kind: 'redacted-thinking', replay: { issuer: 'bedrock', data: 'dark' } }),
  end(1),
  start(2, { kind: 'text' }),
  start(3, call('a')),
  start(4, call('b')),
  grow(4, { kind: 'tool-input', text: '{"b":' }),
  grow(2, { kind: 'text', text: 'one ' }),
  grow(3, { kind: 'replay-token', replay: foreign }),
  grow(3, { kind: 'tool-input', text: '{"a"' }),
  grow(2, { kind: 'text', text: 'two' }),
  grow(2, {
    kind: 'citation',
    citation: { issuer: 'google', url: 'https://a.example', title: 'A', raw: {} },
  }),
  grow(4, { kind: 'tool-input', text: '2}' }),
  end(4),
  end(2),
  grow(3, { kind: 'tool-input', text: ':1}' }),
  end(3),
  start(5, { kind: 'opaque', issuer: 'google', block: { executableCode: {} } }),
  end(5),
  start(6, { kind: 'text' }),
  end(6),
  start(7, { kind: 'refusal' }),
  grow(7, { kind: 'refusal', text: 'No.' }),
  end(7),
  start(8, call('c')),
  end(8),
  {
    type: 'usage',
    usage: { input: { uncached: 5, cacheRead: 2 }, output: { visible: 7, thinking: 3 } },
  },
  stop,
];

describe('the stream encoder of the messages dialect', () => {
  test('sends one block after another, in the order of the vendor [STR-03]', () => {
    expect(types(everything)).toEqual([
      'message_start',
      'content_block_start',
      'text_delta',
      'text_delta',
      'citations_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'input_json_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'input_json_delta',
      'content_block_stop',
      'content_block_start',
      'text_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('reports a token of streamed text, which can no longer go before the text', () => {
    const token = { issuer: 'google', data: 'text:abc' } as const;
    const signed = [
      start(1, { kind: 'thinking', form: 'summary' }),
      grow(1, { kind: 'replay-token', replay: token }),
    ];
    const text = [start(0, { kind: 'text' }), grow(0, { kind: 'text', text: 'Hi' }), end(0)];
    const lossesOf = (events: StreamEvent[]) => {
      const losses: string[] = [];
      const head = { ...headOf(visible), reportLoss: (loss: string) => void losses.push(loss) };
      const encoder = new MessagesStreamEncoder(head);
      for (const event of events) encoder.encode(event);
      return losses;
    };
    expect(lossesOf([begin, ...text, ...signed, end(1), stop])).toEqual(['replay-token']);
    expect(lossesOf([begin, ...text, ...signed, end(1), start(2, call('a')), end(2), stop])).toEqual([]);
  });

  test('corrects the estimated input of its beginning at its end [MSG-51]', () => {
    const usages = (events: StreamEvent[]) => {
      const encoder = new MessagesStreamEncoder(headOf(), { input: () => 40 });
      const sent = events.flatMap((event) => encoder.encode(event)).map(({ data }) => JSON.parse(data));
      return sent
        .flatMap(({ message, usage }) => message?.usage ?? usage ?? [])
        .map(({ input_tokens, output_tokens }) => [input_tokens, output_tokens]);
    };
    const counted: StreamEvent = {
      type: 'usage',
      usage: { input: { uncached: 5 }, output: { visible: 0 } },
    };
    const text = [start(0, { kind: 'text' }), grow(0, { kind: 'text', text: 'Hi' })];
    const over = [end(0), stop];
    expect(usages([begin, ...text, counted, ...over])).toEqual([
      [40, 0],
      [5, 0],
    ]);
    expect(usages([begin, counted, ...text, ...over])[0]).toEqual([5, 0]);
  });

  test.each([undefined, visible, omitted])('adds up to the whole message (%p)', (thinking) => {
    expect(readMessage(encode(everything, thinking))).toEqual(whole(everything, thinking));
  });

  test('puts the token of a text or call before it, at the end of an answer [MSG-50]', () => {
    const token = { issuer: 'google', data: 'text:abc' } as const;
    const signedText = [
      begin,
      start(0, { kind: 'text' }),
      grow(0, { kind: 'text', text: 'Hi' }),
      end(0),
      start(1, { kind: 'thinking', form: 'summary' }),
      grow(1, { kind: 'replay-token', replay: token }),
      end(1),
      stop,
    ];
    const kinds = ({ content }: { content: { type: string; text?: string }[] }) =>
      content.map(({ type, text }) => [type, text]);
    expect(kinds(whole(signedText, visible) as never)).toEqual([
      ['thinking', undefined],
      ['text', 'Hi'],
    ]);
    // The text has been sent when its token arrives, and clients would take an empty text after it for the
    // answer.
    expect(kinds(readMessage(encode(signedText, visible)))).toEqual([['text', 'Hi']]);
    expect(kinds(readMessage(encode(signedText)))).toEqual([['text', 'Hi']]);
    const continued = [start(2, { kind: 'text' }), grow(2, { kind: 'text', text: ' there' }), end(2)];
    expect(kinds(readMessage(encode([...signedText.slice(0, -1), ...continued, stop], visible)))).toEqual([
      ['text', 'Hi'],
      ['thinking', undefined],
      ['text', ' there'],
    ]);
  });

  test('shows requested thinking with its signature', () => {
    const { content } = readMessage(encode(everything, visible));
    expect(content.map(({ type }: { type: string }) => type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'redacted_thinking',
      'tool_use',
      'tool_use',
      'text',
      'tool_use',
    ]);
    expect(unpackReplay('messages', content[0].signature)).toEqual({
      issuer: 'responses',
      itemId: 'rs_1',
      data: 'enc',
    });
    expect(unpackReplay('messages', content[3].data)).toEqual({ ...foreign, itemId: 'a' });
    expect(content[0].thinking).toBe('hm');
  });

  test('sends only signatures if the client omits thinking', () => {
    const [thinking] = readMessage(encode(everything, omitted)).content;
    expect(thinking.thinking).toBe('');
    expect(unpackReplay('messages', thinking.signature)?.data).toBe('enc');
  });

  test('passes on text of the open part immediately', () => {
    const encoder = new MessagesStreamEncoder(headOf());
    encoder.encode(begin);
    expect(encoder.encode(start(0, { kind: 'text' }))).toEqual([]);
    expect(encoder.encode(grow(0, { kind: 'text', text: 'a' })).length).toBe(3);
    expect(encoder.encode(grow(0, { kind: 'text', text: 'b' })).length).toBe(1);
  });

  test('stops with tool_use even if the vendor reports an ordinary end', () => {
    expect(readMessage(encode(everything)).stop_reason).toBe('tool_use');
    expect(readMessage(encode([begin, stop])).stop_reason).toBe('end_turn');
  });

  test('counts cached input separately and thinking as output', () => {
    expect(readMessage(encode(everything)).usage).toMatchObject({
      input_tokens: 5,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 0,
      output_tokens: 10,
      output_tokens_details: { thinking_tokens: 3 },
    });
  });

  test('has every field of the types of the vendor', () => {
    const message = whole([begin, stop]) as { usage: object };
    expect(Object.keys(message).sort()).toEqual(
      ['container', 'content', 'diagnostics', 'id', 'model', 'role', 'stop_details']
        .concat(['stop_reason', 'stop_sequence', 'type', 'usage'])
        .sort(),
    );
    expect(Object.keys(message.usage).sort()).toEqual(
      ['cache_creation', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'inference_geo']
        .concat(['input_tokens', 'output_tokens', 'output_tokens_details', 'server_tool_use'])
        .concat(['service_tier', 'speed']),
    );
  });

  test('ends a failed stream with an error event', () => {
    const failed: StreamEvent = { type: 'response-error', refusal: new Refusal('upstream_overloaded') };
    const frames = encode([begin, start(0, call('a')), failed]);
    expect(frames.at(-1)).toEqual({
      event: 'error',
      data: '{"type":"error","error":{"type":"overloaded_error","code":"upstream_overloaded","message":"The model is overloaded right now."}}',
    });
  });

  test('sends a freeform call as the declared object', () => {
    const freeform: PartHead = { kind: 'tool-call', callId: 'p', name: 'patch', inputKind: 'freeform' };
    const events = [
      begin,
      start(0, freeform),
      grow(0, { kind: 'tool-input', text: 'say "h' }),
      grow(0, { kind: 'tool-input', text: 'i"' }),
      end(0),
      stop,
    ];
    expect(readMessage(encode(events)).content[0].input).toEqual({ input: 'say "hi"' });
    expect(readMessage(encode(events))).toEqual(whole(events));
  });
});
