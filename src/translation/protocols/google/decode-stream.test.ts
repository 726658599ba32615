import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../codec.ts';
import { GoogleStreamDecoder } from './decode-stream.ts';
import { closingFrame, explode } from './explode.ts';
import { PartialArguments } from './partial-arguments.ts';

function decode(frames: readonly Frame[]): StreamEvent[] {
  let calls = 0;
  const decoder = new GoogleStreamDecoder(() => `call_${calls++}`);
  return frames.flatMap((frame) => decoder.read(frame));
}

const chunkFrames = (...chunks: object[]): Frame[] =>
  chunks.map((chunk) => ({ data: JSON.stringify(chunk) }));
const candidate = (parts: object[], rest: object = {}) => ({ candidates: [{ content: { parts }, ...rest }] });
const counts = { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 } };

function answered(frames: readonly Frame[]): CanonicalResponse {
  const response = collect(decode([...frames, closingFrame]));
  if (response instanceof Refusal) throw new Error(response.code);
  return response;
}

describe('calls', () => {
  test('numbers of arguments keep every digit, and space between the tokens goes', () => {
    const data =
      '{ "candidates": [{"content": {"parts": [{"functionCall": {"id":"x1","name":"f","args": { "n" : 12345678901234567890.10,\n "s": "a  b\\"" }}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}';
    const [call] = answered([{ data }]).parts;
    expect(call).toEqual({
      kind: 'tool-call',
      callId: 'x1',
      name: 'f',
      input: { kind: 'json', text: '{"n":12345678901234567890.10,"s":"a  b\\""}' },
    });
  });

  test('parallel calls without ids get ids of their own, and the turn stops for them', () => {
    const frames = chunkFrames({
      ...candidate([{ functionCall: { name: 'a', args: {} } }, { functionCall: { name: 'a' } }], {
        finishReason: 'STOP',
      }),
      ...counts,
    });
    const { parts, stop } = answered(frames);
    expect(parts.map((part) => part.kind === 'tool-call' && [part.callId, part.input.text])).toEqual([
      ['call_0', '{}'],
      ['call_1', '{}'],
    ]);
    expect(stop).toEqual({ kind: 'tool-call', raw: 'STOP' });
  });

  test('a path through a prototype stays a name, and one far behind a list is no answer', () => {
    const made = new PartialArguments();
    made.add([{ jsonPath: '$.__proto__.polluted', boolValue: true }]);
    made.add([{ jsonPath: "$['a.b'][0]", numberValue: 0 }]);
    expect(made.toString()).toBe('{"__proto__":{"polluted":true},"a.b":[0]}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(() => made.add([{ jsonPath: '$.list[4000000000]', nullValue: null }])).toThrow(SyntaxError);
  });
});

describe('parts', () => {
  test('signatures are told with the kind of part that they came on', () => {
    const { parts } = answered(
      chunkFrames({
        ...candidate(
          [
            { text: 'hm', thought: true, thoughtSignature: 'AA==' },
            { text: 'Hi', thoughtSignature: 'BB==' },
            { functionCall: { name: 'f', args: {} }, thoughtSignature: 'CC==' },
          ],
          { finishReason: 'STOP' },
        ),
        ...counts,
      }),
    );
    expect(parts.map((part) => [part.kind, 'replay' in part ? part.replay?.data : undefined])).toEqual([
      ['thinking', 'thought:AA=='],
      ['text', undefined],
      ['thinking', 'text:BB=='],
      ['tool-call', 'call:CC=='],
    ]);
  });

  test('run code and images are opaque', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } };
    const { parts } = answered(chunkFrames({ ...candidate([code], { finishReason: 'STOP' }), ...counts }));
    expect(parts).toEqual([{ kind: 'opaque', issuer: 'google', block: code }]);
  });

  test('sources are cited once on the text that they support, in the last form they were told', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
      groundingSupports: [{ segment: { endIndex: 2, text: 'Hi' }, groundingChunkIndices: [0] }],
    };
    const { parts } = answered(
      chunkFrames(
        candidate([{ text: 'Hi' }], { groundingMetadata: { groundingChunks: [] } }),
        { ...candidate([{ text: ' you' }], { groundingMetadata }), ...counts },
        candidate([{ text: '', thoughtSignature: 'AA==' }], { groundingMetadata, finishReason: 'STOP' }),
      ),
    );
    expect(parts[0]).toMatchObject({
      kind: 'text',
      text: 'Hi you',
      citations: [{ url: 'https://a.example', title: 'A', citedText: 'Hi' }],
    });
  });
});

describe('endings', () => {
  const ending = (frames: Frame[]) => decode([...frames, closingFrame]).at(-1);

  test('a blocked prompt is refused by content_filter', () => {
    expect(ending(chunkFrames({ promptFeedback: { blockReason: 'SAFETY' }, ...counts }))).toMatchObject({
      type: 'response-error',
      refusal: { code: 'content_filter' },
    });
  });

  test.each([
    ['MAX_TOKENS', 'max-tokens'],
    ['SAFETY', 'content-filter'],
    ['SPII', 'content-filter'],
    ['LANGUAGE', 'other'],
    ['NEW_WORD', 'other'],
  ])('stops by %s as %s', (reason, kind) => {
    const frames = chunkFrames({ ...candidate([{ text: 'a' }], { finishReason: reason }), ...counts });
    expect(ending(frames)).toEqual({ type: 'response-end', stop: { kind, raw: reason } } as StreamEvent);
  });

  test('a call that came out as nothing is a failure that another attempt may mend', () => {
    const frames = chunkFrames({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }], ...counts });
    expect(ending(frames)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  });

  test.each([
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'secret quota' }, 'upstream_overloaded'],
    [{ code: 503, message: 'x' }, 'upstream_overloaded'],
    [{ code: 400, status: 'INVALID_ARGUMENT', message: 'input token count' }, 'context_length_exceeded'],
    [{ code: 500, status: 'INTERNAL', message: 'secret' }, 'upstream_unavailable'],
    ['secret', 'upstream_unavailable'],
  ])('an error in the stream %j is %s and tells no text of the upstream', (error, code) => {
    const last = ending(chunkFrames(candidate([{ text: 'a' }]), { error }, candidate([{ text: 'b' }])));
    expect(last).toMatchObject({ type: 'response-error', refusal: { code } });
    expect((last as { refusal: Refusal }).refusal.message).not.toContain('secret');
  });

  test('the answer ends with its body, so that every count behind the reason is read', () => {
    const stopped = candidate([{ text: 'a' }], { finishReason: 'STOP' });
    expect(decode(chunkFrames(stopped, counts)).at(-1)!.type).toBe('usage');
    expect(ending(chunkFrames(stopped, counts))!.type).toBe('response-end');
    expect(ending(chunkFrames(stopped))!.type).toBe('response-end');
    expect(ending(chunkFrames(candidate([{ text: 'a' }])))!.type).toBe('part-delta');
  });

  test('what is no answer throws', () => {
    for (const text of ['', '[]', 'null', '{}', '{"usageMetadata":{}}', '<html>']) {
      expect(() => explode(text)).toThrow(SyntaxError);
    }
    expect(() => decode([{ data: '[1]' }])).toThrow(SyntaxError);
  });
});

test('counts are disjoint: the cache leaves the prompt, thoughts leave the visible', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 60,
    toolUsePromptTokenCount: 7,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 20,
    totalTokenCount: 137,
  };
  const { usage } = answered(
    chunkFrames({ ...candidate([{ text: 'a' }], { finishReason: 'STOP' }), usageMetadata }),
  );
  expect(usage).toEqual({ input: { uncached: 47, cacheRead: 60 }, output: { visible: 10, thinking: 20 } });
});

test('a list of chunks, as sent without server-sent events, is read like the stream', () => {
  const chunks = [
    candidate([{ text: 'a' }]),
    { ...candidate([{ text: 'b' }], { finishReason: 'STOP' }), ...counts },
  ];
  expect(decode(explode(JSON.stringify(chunks)))).toEqual(decode([...chunkFrames(...chunks), closingFrame]));
});
