import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';
import { GoogleStreamDecoder } from './google-stream-decoder.ts';
import { PartialArguments } from './partial-arguments.ts';
import { splitAnswer } from './split-answer.ts';

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
  return acceptedOrError(collect(decode([...frames, END_OF_STREAM])));
}

describe('calls', () => {
  test('keeps every digit of arguments and removes white space between tokens', () => {
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

  test('creates ids for parallel calls and stops the turn for them', () => {
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

  test('treats prototype names in paths as plain names and rejects indexes far beyond a list', () => {
    const made = new PartialArguments();
    made.add([{ jsonPath: '$.__proto__.polluted', boolValue: true }]);
    made.add([{ jsonPath: "$['a.b'][0]", numberValue: 0 }]);
    expect(made.toString()).toBe('{"__proto__":{"polluted":true},"a.b":[0]}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(() => made.add([{ jsonPath: '$.list[4000000000]', nullValue: null }])).toThrow(SyntaxError);
  });
});

describe('parts', () => {
  test('stores signatures with the kind of their part', () => {
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

  test('keeps executed code and images opaque', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } };
    const { parts } = answered(chunkFrames({ ...candidate([code], { finishReason: 'STOP' }), ...counts }));
    expect(parts).toEqual([{ kind: 'opaque', issuer: 'google', block: code }]);
  });

  test('cites each source once, at its text and in its last form', () => {
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

  const sourceAt = (uri: string) => ({ groundingMetadata: { groundingChunks: [{ web: { uri } }] } });

  test.each([
    ['a signed text', { text: 'Hi', thoughtSignature: 'AA==' }],
    ['a call', { functionCall: { name: 'f', args: {} } }],
  ])('cites sources that arrive after %s at an empty text', (_, last) => {
    const { parts } = answered(
      chunkFrames(
        candidate([{ text: 'Hi' }, last], sourceAt('https://a.example')),
        candidate([], { ...sourceAt('https://b.example'), finishReason: 'STOP' }),
        counts,
      ),
    );
    expect(parts.flatMap((part) => (part.kind === 'text' ? [part] : []))).toMatchObject([
      { citations: [{ url: 'https://a.example' }] },
      { text: '', citations: [{ url: 'https://b.example' }] },
    ]);
  });

  test('does not cite a source again that a later chunk repeats', () => {
    const source = sourceAt('https://a.example');
    const signed = candidate([{ text: 'Hi', thoughtSignature: 'AA==' }], source);
    const { parts } = answered(
      chunkFrames(signed, candidate([], { ...source, finishReason: 'STOP' }), counts),
    );
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'thinking']);
  });
});

describe('endings', () => {
  const ending = (frames: Frame[]) => decode([...frames, END_OF_STREAM]).at(-1);

  test('refuses a blocked prompt with content_filter', () => {
    expect(ending(chunkFrames({ promptFeedback: { blockReason: 'SAFETY' }, ...counts }))).toMatchObject({
      type: 'response-error',
      refusal: { code: 'content_filter' },
    });
  });

  test.each([
    ['MAX_TOKENS', 'max-tokens'],
    ['SAFETY', 'content-filter'],
    ['SPII', 'content-filter'],
    ['ESCALATION', 'content-filter'],
    ['LANGUAGE', 'other'],
    ['NEW_WORD', 'other'],
  ])('maps the finish reason %s to %s', (reason, kind) => {
    const frames = chunkFrames({ ...candidate([{ text: 'a' }], { finishReason: reason }), ...counts });
    expect(ending(frames)).toEqual({ type: 'response-end', stop: { kind, raw: reason } } as StreamEvent);
  });

  test.each([
    'MALFORMED_FUNCTION_CALL',
    'MISSING_THOUGHT_SIGNATURE',
    'PUP_LIMITED_DISABLED',
  ])('treats an empty answer with %s as a failure that can be retried', (finishReason) => {
    const frames = chunkFrames({ candidates: [{ finishReason }], ...counts });
    expect(ending(frames)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  });

  test.each([
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'secret quota' }, 'upstream_overloaded'],
    [{ code: 503, message: 'x' }, 'upstream_overloaded'],
    [{ code: 400, status: 'INVALID_ARGUMENT', message: 'input token count' }, 'context_length_exceeded'],
    [{ code: 500, status: 'INTERNAL', message: 'secret' }, 'upstream_unavailable'],
    ['secret', 'upstream_unavailable'],
  ])('refuses the error %j with %s and hides its text', (error, code) => {
    const last = ending(chunkFrames(candidate([{ text: 'a' }]), { error }, candidate([{ text: 'b' }])));
    expect(last).toMatchObject({ type: 'response-error', refusal: { code } });
    expect((last as { refusal: Refusal }).refusal.message).not.toContain('secret');
  });

  test('ends the answer with its body and reads usage after the finish reason', () => {
    const stopped = candidate([{ text: 'a' }], { finishReason: 'STOP' });
    expect(decode(chunkFrames(stopped, counts)).at(-1)!.type).toBe('usage');
    expect(ending(chunkFrames(stopped, counts))!.type).toBe('response-end');
    expect(ending(chunkFrames(stopped))!.type).toBe('response-end');
    expect(ending(chunkFrames(candidate([{ text: 'a' }])))!.type).toBe('part-delta');
  });

  test('throws at an invalid answer', () => {
    for (const text of ['', '[]', 'null', '{}', '{"usageMetadata":{}}', '<html>']) {
      expect(() => splitAnswer(text)).toThrow(SyntaxError);
    }
    expect(() => decode([{ data: '[1]' }])).toThrow(SyntaxError);
  });
});

test('separates cached tokens from the prompt and thoughts from the visible output', () => {
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

test('reads a list of chunks like a stream', () => {
  const chunks = [
    candidate([{ text: 'a' }]),
    { ...candidate([{ text: 'b' }], { finishReason: 'STOP' }), ...counts },
  ];
  expect(decode(splitAnswer(JSON.stringify(chunks)))).toEqual(
    decode([...chunkFrames(...chunks), END_OF_STREAM]),
  );
});
