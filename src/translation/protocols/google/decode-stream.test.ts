import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../codec.ts';
import { GoogleStreamDecoder } from './decode-stream.ts';
import { closingFrame, explode } from './explode.ts';
import { PartialArguments } from './partial-arguments.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a vendor sent is read field by field
type Json = any;

const folder = join(import.meta.dir, '../../../../../shared/recordings/google');
const names = existsSync(folder) ? readdirSync(folder).filter((name) => !/^interactions$/.test(name)) : [];
if (names.length === 0) test.skip('the recordings are not there', () => {});

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

/** Read straight from the recording, without the decoder. */
function expected(chunks: Json[]) {
  const parts: Json[] = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const usage = chunks.at(-1).usageMetadata;
  return {
    text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
    thinking: parts.map((part) => (part.thought ? part.text : '')).join(''),
    calls: parts.flatMap(({ functionCall: call }) => (call?.name ? [call.name] : [])),
    signatures: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
    input: usage.promptTokenCount,
    output: usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0),
  };
}

function observed({ parts, usage }: CanonicalResponse) {
  const joined = (kind: string) =>
    parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : []));
  const tokens = parts.flatMap((part) => ('replay' in part && part.replay ? [part.replay.data] : []));
  return {
    text: joined('text'),
    thinking: joined('thinking'),
    calls,
    signatures: tokens.map((token) => token.replace(/^\w+:/, '')),
    input: usage!.input.uncached + (usage!.input.cacheRead ?? 0),
    output: usage!.output.visible + (usage!.output.thinking ?? 0),
  };
}

for (const name of names) {
  test(`tells what was recorded in ${name}`, () => {
    const text = readFileSync(join(folder, name), 'utf8');
    const lines = name.endsWith('.json') ? [text] : text.split('\n').filter((line) => line.trim() !== '');
    const frames = name.endsWith('.json')
      ? explode(text)
      : [...lines.map((data) => ({ data })), closingFrame];
    const events = decode(frames);
    expect(events.filter(({ type }) => /^response-(end|error)$/.test(type))).toHaveLength(1);
    expect(events.at(-1)!.type).toBe('response-end');
    expect(observed(answered(frames))).toEqual(expected(lines.map((line) => JSON.parse(line))));
    expectOrder(events);
  });
}

function expectOrder(events: readonly StreamEvent[]): void {
  const open = new Set<number>();
  let next = 0;
  for (const event of events) {
    if (event.type === 'part-start') {
      expect(event.index).toBe(next++);
      open.add(event.index);
    }
    if (event.type === 'part-delta') expect(open.has(event.index)).toBe(true);
    if (event.type === 'part-end') expect(open.delete(event.index)).toBe(true);
  }
  expect(open.size).toBe(0);
  expect(events[0]!.type).toBe('response-start');
}

describe('calls', () => {
  test.if(names.length > 0)(
    'arguments that come as values at paths become the JSON that they describe',
    () => {
      const read = (name: string) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((data) => ({ data }));
      const inputs = (name: string) =>
        answered(read(name)).parts.flatMap((part) => (part.kind === 'tool-call' ? [part.input.text] : []));
      expect(inputs('google-stream-no-args-tool-call.chunks.txt')).toEqual([
        '{}',
        '{"id":"A"}',
        '{"id":"B"}',
        '{"id":"C"}',
      ]);
      expect(inputs('google-stream-tool-call-arguments.chunks.txt')).toEqual([
        '{"location":"Boston"}',
        '{"location":"San Francisco"}',
      ]);
      const [recipe] = inputs('google-vertex-stream-tool-call-arguments-nested.1.chunks.txt');
      expect(JSON.parse(recipe!).recipe.ingredients[0]).toEqual({ amount: '16 oz', name: 'Lasagna noodles' });
      expect(JSON.parse(recipe!).recipe.ingredients).toHaveLength(10);
    },
  );

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
