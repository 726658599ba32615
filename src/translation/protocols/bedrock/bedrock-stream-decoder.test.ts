import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';
import { BedrockStreamDecoder } from './bedrock-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

function decode(frames: readonly Frame[]): StreamEvent[] {
  const decoder = new BedrockStreamDecoder();
  return frames.flatMap((frame) => decoder.read(frame));
}

/** Builds frames from `{kind: payload}` objects. */
const framesOf = (...events: object[]): Frame[] =>
  events.flatMap((event) =>
    Object.entries(event).map(([name, payload]) => ({ event: name, data: JSON.stringify(payload) })),
  );
const delta = (contentBlockIndex: number, piece: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: piece },
});
const stop = { messageStop: { stopReason: 'end_turn' } };
const metadata = { metadata: { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } } };

function answered(frames: readonly Frame[]): CanonicalResponse {
  return acceptedOrError(collect(decode(frames)));
}

describe('blocks', () => {
  test('joins the pieces of a signature, even if the thinking has no text', () => {
    const { parts } = answered(
      framesOf(
        delta(0, { reasoningContent: { signature: 'AA' } }),
        delta(0, { reasoningContent: { signature: 'BB' } }),
        delta(1, { text: 'x' }),
        stop,
        metadata,
      ),
    );
    expect(parts[0]).toEqual({
      kind: 'thinking',
      form: 'full',
      text: '',
      replay: { issuer: 'bedrock', data: 'AABB' },
    });
  });

  test('joins the pieces of redacted thinking', () => {
    const redactedContent = (text: string) => ({
      reasoningContent: { redactedContent: Buffer.from(text).toString('base64') },
    });
    const { parts } = answered(
      framesOf(
        delta(0, redactedContent('a')),
        delta(0, redactedContent('bc')),
        delta(1, { text: 'x' }),
        stop,
        metadata,
      ),
    );
    expect(parts[0]).toEqual({
      kind: 'redacted-thinking',
      replay: { issuer: 'bedrock', data: Buffer.from('abc').toString('base64') },
    });
  });

  test('separates interleaved parallel calls by their index', () => {
    const start = (contentBlockIndex: number, name: string) => ({
      contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId: `id-${name}`, name } } },
    });
    const { parts } = answered(
      framesOf(
        start(1, 'a'),
        start(2, 'b'),
        delta(2, { toolUse: { input: '{"b":1.0}' } }),
        delta(1, { toolUse: { input: '{"a":' } }),
        delta(1, { toolUse: { input: '2}' } }),
        stop,
        metadata,
      ),
    );
    expect(parts.map((part) => part.kind === 'tool-call' && [part.name, part.input.text])).toEqual([
      ['a', '{"a":2}'],
      ['b', '{"b":1.0}'],
    ]);
  });

  test('keeps hosted tools and unknown blocks opaque, unary and streamed', () => {
    const toolUse = { toolUseId: 's', name: 'nova_grounding', type: 'server_tool_use', input: { q: 1 } };
    const unary = answered(
      splitAnswer(
        JSON.stringify({
          output: { message: { content: [{ toolUse }, { newKind: { a: 1 } }, { text: 'x' }] } },
          stopReason: 'end_turn',
        }),
      ),
    );
    const { input: _, ...start } = toolUse;
    const streamed = answered(
      framesOf(
        { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: start } } },
        delta(0, { toolUse: { input: '{"q":' } }),
        delta(0, { toolUse: { input: '1}' } }),
        { contentBlockStop: { contentBlockIndex: 0 } },
        delta(1, { newKind: { a: 1 } }),
        delta(2, { text: 'x' }),
        stop,
        metadata,
      ),
    );
    expect(streamed.parts).toEqual(unary.parts);
    expect(streamed.parts[0]).toEqual({ kind: 'opaque', issuer: 'bedrock', block: { toolUse } });
  });

  test('attaches citations to their text', () => {
    const citation = {
      title: 'A',
      sourceContent: [{ text: 'said' }],
      location: { web: { url: 'https://a' } },
    };
    const content = [{ citationsContent: { content: [{ text: 'x' }], citations: [citation] } }];
    const { parts } = answered(
      splitAnswer(JSON.stringify({ output: { message: { content } }, stopReason: 'end_turn' })),
    );
    expect(parts).toEqual([
      {
        kind: 'text',
        text: 'x',
        citations: [{ issuer: 'bedrock', url: 'https://a', title: 'A', citedText: 'said', raw: citation }],
      },
    ]);
  });

  test('keeps every digit of the numbers in unary arguments', () => {
    const text =
      '{"output":{"message":{"content":[{"toolUse":{"toolUseId":"a","name":"f","input":{ "n": 1.0, "m": 98765432109876543210 }}}]}},"stopReason":"tool_use"}';
    expect(answered(splitAnswer(text)).parts[0]).toMatchObject({
      input: { text: '{"n":1.0,"m":98765432109876543210}' },
    });
  });
});

describe('endings', () => {
  test('reads usage before or after the stop and emits the stop last', () => {
    for (const order of [
      [stop, metadata],
      [metadata, stop],
    ]) {
      const events = decode([...framesOf(delta(0, { text: 'a' }), ...order), END_OF_STREAM]);
      expect(events.at(-1)).toEqual({ type: 'response-end', stop: { kind: 'end-turn', raw: 'end_turn' } });
      expect(events.some(({ type }) => type === 'usage')).toBe(true);
    }
  });

  test('ends a stream without usage, but not one without a stop', () => {
    expect(decode([...framesOf(stop), END_OF_STREAM]).at(-1)!.type).toBe('response-end');
    expect(decode([...framesOf(delta(0, { text: 'a' })), END_OF_STREAM]).at(-1)!.type).toBe('part-delta');
  });

  test.each([
    ['max_tokens', 'max-tokens'],
    ['tool_use', 'tool-call'],
    ['guardrail_intervened', 'content-filter'],
    ['content_filtered', 'content-filter'],
    ['model_context_window_exceeded', 'context-window'],
    ['new_word', 'other'],
  ])('maps the stop reason %s to %s', (stopReason, kind) => {
    expect(decode([...framesOf({ messageStop: { stopReason } }, metadata), END_OF_STREAM]).at(-1)).toEqual({
      type: 'response-end',
      stop: { kind, raw: stopReason },
    } as StreamEvent);
  });

  test.each([
    { stop_sequence: 'END' },
    { delta: { stop_sequence: 'END' } },
  ])('reads the stop sequence from %j', (additionalModelResponseFields) => {
    const messageStop = { stopReason: 'stop_sequence', additionalModelResponseFields };
    expect(decode([...framesOf({ messageStop }, metadata), END_OF_STREAM]).at(-1)).toMatchObject({
      stop: { sequence: 'END' },
    });
  });

  test.each([
    ['exception:throttlingException', 'upstream_overloaded'],
    ['serviceUnavailableException', 'upstream_overloaded'],
    ['exception:modelTimeoutException', 'upstream_timeout'],
    ['exception:internalServerException', 'upstream_unavailable'],
    ['exception:SomethingNew', 'upstream_unavailable'],
  ])('ends the stream at %s with %s and hides its text', (event, code) => {
    const events = decode([
      { event, data: '{"message":"secret account"}' },
      ...framesOf(delta(0, { text: 'a' }), stop, metadata),
    ]);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'response-error', refusal: { code } });
    expect((events[0] as { refusal: Refusal }).refusal.message).not.toContain('secret');
  });

  test.each([
    ['{"message":"Too hot."}', 'Too hot.'],
    ['{"reason":"hot"}', '{"reason":"hot"}'],
    ['too hot', 'too hot'],
  ])('has the message of the exception %s, without its frame', (data, message) => {
    const [failed] = decode([{ event: 'exception:validationException', data }]);
    const { refusal } = failed as { refusal: Refusal };
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.details.cause).toEqual({ type: 'validationException', message });
  });

  test('reports a prompt that is too long with its own error code', () => {
    const data = '{"message":"Input is too long for requested model."}';
    expect(decode([{ event: 'exception:validationException', data }])[0]).toMatchObject({
      refusal: { code: 'context_length_exceeded' },
    });
  });

  test('throws at an invalid answer and ignores an unknown event', () => {
    for (const text of ['', '[]', '{}', '{"message":"no"}', '<html>']) {
      expect(() => splitAnswer(text)).toThrow(SyntaxError);
    }
    expect(() => decode([{ event: 'contentBlockDelta', data: '{' }])).toThrow(SyntaxError);
    expect(decode([{ event: 'initial-response', data: '{}' }])).toEqual([]);
  });
});

test('excludes cached tokens from the input, under both field names', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 7, cacheWriteInputTokenCount: 3 };
  expect(answered(framesOf(stop, { metadata: { usage } })).usage).toEqual({
    input: { uncached: 10, cacheRead: 7, cacheWrite: 3 },
    output: { visible: 5 },
  });
});
