import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import { addUsage, type Usage } from '../../canonical/usage.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { joinChoices } from '../openai/join-choices.ts';
import { headsWith } from '../testing/heads-with.ts';
import { contractProblems } from '../testing/openai-contract.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';
import { encodeResponse } from './encode-response.ts';

const headOf = headsWith('chatcmpl-1');

const chunkProblems = (chunk: unknown) => contractProblems('CreateChatCompletionStreamResponse', chunk);

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client would
type Json = any;

const visible = { thinking: { mode: 'default', effortIsRequired: true, visible: true } } as const;
const asksUsage = { stream_options: { include_usage: true } };
const usage = { input: { uncached: 5, cacheRead: 3 }, output: { visible: 2, thinking: 4 } };
const start: StreamEvent = { type: 'response-start', responseId: 'up', model: 'up' };
const end = (kind: Stop['kind'] = 'end-turn'): StreamEvent => ({ type: 'response-end', stop: { kind } });
const part = (index: number, head: PartHead, ...deltas: PartDelta[]): StreamEvent[] => [
  { type: 'part-start', index, part: head },
  ...deltas.map((delta): StreamEvent => ({ type: 'part-delta', index, delta })),
  { type: 'part-end', index },
];
const text = (index: number, ...texts: string[]) =>
  part(index, { kind: 'text' }, ...texts.map((text): PartDelta => ({ kind: 'text', text })));
const call = (index: number, callId: string, ...texts: string[]) =>
  part(
    index,
    { kind: 'tool-call', callId, name: 'f', inputKind: 'json' },
    ...texts.map((text): PartDelta => ({ kind: 'tool-input', text })),
  );
const thought = (index: number, text: string, signature?: string) =>
  part(
    index,
    { kind: 'thinking', form: 'full' },
    { kind: 'thinking', text },
    ...(signature
      ? [{ kind: 'replay-token', replay: { issuer: 'messages', data: signature } } as const]
      : []),
  );

const stream = (head: ResponseHead, ...events: StreamEvent[]): Json[] => {
  const encode = createChatDialectCodec().streamEncoder(head);
  return events.flatMap(encode).map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data)));
};
const deltas = (frames: Json[]) =>
  frames.flatMap(({ choices }) => choices?.map(({ delta }: Json) => delta) ?? []);
const whole = (head: ResponseHead, ...events: StreamEvent[]): Json =>
  encodeResponse(collect(events) as CanonicalResponse, head);

/** Joins the deltas as a client does. */
function message(frames: Json[]): Json {
  const joined: Json = { tool_calls: [], reasoning_details: [], annotations: [] };
  for (const delta of deltas(frames)) {
    for (const name of ['content', 'refusal', 'reasoning_content'])
      if (delta[name]) joined[name] = (joined[name] ?? '') + delta[name];
    joined.reasoning_details.push(...(delta.reasoning_details ?? []));
    joined.annotations.push(...(delta.annotations ?? []));
    for (const { index, ...piece } of delta.tool_calls ?? []) {
      const named = { ...piece, function: { ...piece.function, arguments: '' } };
      joined.tool_calls[index] ??= named;
      const call = joined.tool_calls[index];
      call.function.arguments += piece.function?.arguments ?? '';
      if (piece.extra_content) call.extra_content = piece.extra_content;
    }
  }
  return joined;
}

describe('a stream', () => {
  test('signs a call in a piece with an empty input, which clients require', () => {
    const replay = { issuer: 'google', data: 'call:c2ln' } as const;
    const signed = part(
      0,
      { kind: 'tool-call', callId: 'c', name: 'f', inputKind: 'json' },
      { kind: 'tool-input', text: '{}' },
      { kind: 'replay-token', replay },
    );
    const frames = stream(headOf(), start, ...signed, end('tool-call'));
    const pieces = deltas(frames).flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(pieces.at(-1)).toEqual({
      index: 0,
      function: { arguments: '' },
      extra_content: { google: { thought_signature: expect.any(String) } },
    });
    expect(frames.slice(0, -1).flatMap(chunkProblems)).toEqual([]);
  });

  test('signs a call in the piece that names it, if the signature comes first', () => {
    const head = { kind: 'tool-call', callId: 'c', name: 'f', inputKind: 'json', isSigned: true } as const;
    const token = { kind: 'replay-token', replay: { issuer: 'google', data: 'call:c2ln' } } as const;
    const input = { kind: 'tool-input', text: '{"a":1}' } as const;
    const frames = stream(headOf(), start, ...part(0, head, token, input), end('tool-call'));
    const pieces = deltas(frames).flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(pieces).toEqual([
      {
        index: 0,
        id: 'c',
        type: 'function',
        function: { name: 'f', arguments: '' },
        extra_content: { google: { thought_signature: expect.any(String) } },
      },
      { index: 0, function: { arguments: '{"a":1}' } },
    ]);
  });

  test('names a call without a signature at once', () => {
    const head = { kind: 'tool-call', callId: 'c', name: 'f', inputKind: 'json' } as const;
    const frames = stream(headOf(), start, { type: 'part-start', index: 0, part: head });
    expect(deltas(frames).at(-1)).toMatchObject({ tool_calls: [{ id: 'c', function: { name: 'f' } }] });
  });

  test('has a role, deltas, a finish reason and an end', () => {
    const frames = stream(headOf(), start, ...text(0, 'a', '', 'b'), { type: 'usage', usage }, end());
    expect(frames.at(-1)).toBe('[DONE]');
    const chunks = frames.slice(0, -1);
    expect(chunks.flatMap(chunkProblems)).toEqual([]);
    expect(chunks.map(({ choices }) => choices[0])).toEqual([
      {
        index: 0,
        delta: { role: 'assistant', content: '', refusal: null },
        logprobs: null,
        finish_reason: null,
      },
      { index: 0, delta: { content: 'a' }, logprobs: null, finish_reason: null },
      { index: 0, delta: { content: 'b' }, logprobs: null, finish_reason: null },
      { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
    ]);
    for (const { id, object, created, model, usage } of chunks)
      expect({ id, object, created, model, usage }).toEqual({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_750_000_000,
        model: 'asked-for',
        usage: undefined,
      });
  });

  test('has the usage in a last chunk without choices, if the client asked for it', () => {
    const frames = stream(headOf({}, asksUsage), start, { type: 'usage', usage }, ...text(0, 'a'), end());
    const chunks = frames.slice(0, -1);
    expect(chunks.flatMap(chunkProblems)).toEqual([]);
    expect(chunks.slice(0, -1).map(({ usage }) => usage)).toEqual([null, null, null]);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 8,
        completion_tokens: 6,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    });
  });

  test('ends with only the error if it fails', () => {
    const broken: StreamEvent = { type: 'response-error', refusal: new Refusal('upstream_overloaded') };
    const frames = stream(headOf({}, asksUsage), start, ...text(0, 'a'), broken);
    expect(frames.at(-1)).toEqual({
      error: {
        type: 'server_error',
        code: 'upstream_overloaded',
        message: 'The model is overloaded right now.',
        param: null,
      },
    });
  });

  test('names and numbers each call once, even if calls interleave', () => {
    const first = call(1, 'a', '{"x":', '1}');
    const second = call(2, 'b');
    const mixed = [first[0]!, second[0]!, first[1]!, second[1]!, ...first.slice(2)];
    const frames = stream(headOf(), start, ...text(0, 'hm'), ...mixed, end('tool-call'));
    expect(deltas(frames).flatMap(({ tool_calls }) => tool_calls ?? [])).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"x":' } },
      { index: 1, function: { arguments: '{}' } },
      { index: 0, function: { arguments: '1}' } },
    ]);
    expect(frames.at(-2).choices[0].finish_reason).toBe('tool_calls');
  });

  test('separates interleaved texts', () => {
    const one = text(0, 'a', 'b');
    const two = text(1, 'c', 'd');
    const mixed = [one[0]!, one[1]!, two[0]!, two[1]!, one[2]!, two[2]!, one[3]!, two[3]!];
    expect(message(stream(headOf(), start, ...mixed, end())).content).toBe('abcd');
  });
});

describe('an answer', () => {
  const citation = { issuer: 'messages', url: 'https://a.example', raw: {} } as const;
  const events: StreamEvent[] = [
    start,
    ...thought(0, 'hm', 'sig-1'),
    ...part(1, { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'dark' } }),
    ...thought(2, '', 'sig-2'),
    ...text(3, 'so ', 'be'),
    ...part(4, { kind: 'text' }, { kind: 'text', text: ' it' }, { kind: 'citation', citation }),
    ...call(5, 'a', '{"x":1}'),
    ...part(
      6,
      { kind: 'tool-call', callId: 'b', name: 'g', inputKind: 'json' },
      { kind: 'replay-token', replay: { issuer: 'google', data: 'signed' } },
    ),
    { type: 'usage', usage },
    end('tool-call'),
  ];

  test('has every field that the published description requires', () => {
    for (const answer of [
      whole(headOf(visible), ...events),
      whole(headOf(), start, end()),
      whole(headOf(), ...events),
    ]) {
      expect(contractProblems('CreateChatCompletionResponse', answer)).toEqual([]);
      expect(Object.keys(answer).sort()).toEqual(['choices', 'created', 'id', 'model', 'object', 'usage']);
      expect(answer.choices[0].message).toContainKeys(['role', 'content', 'refusal', 'annotations']);
    }
    expect(whole(headOf(), start, end()).usage.completion_tokens_details.reasoning_tokens).toBe(0);
  });

  test.each([
    ['seen', visible],
    ['hidden', {}],
  ] as const)('is the same unary and streamed, with thinking %s', (_, request) => {
    const {
      role: _role,
      refusal: _refusal,
      ...answer
    } = whole(headOf(request), ...events).choices[0].message;
    expect(message(stream(headOf(request), ...events))).toEqual({ reasoning_details: [], ...answer });
  });

  test('omits hidden thinking and its tokens', () => {
    const hidden = JSON.stringify([whole(headOf(), ...events), stream(headOf(), ...events)]);
    expect(hidden).not.toContain('reasoning_content');
    expect(hidden).not.toContain('reasoning_details');
  });

  test('places citations at their text', () => {
    expect(whole(headOf(), ...events).choices[0].message.annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.example', title: 'https://a.example', start_index: 5, end_index: 8 },
      },
    ]);
  });

  test('has a refusal in a separate field', () => {
    const refusal = part(0, { kind: 'refusal' }, { kind: 'refusal', text: 'No.' });
    const [choice] = whole(headOf(), start, ...refusal, end('refusal')).choices;
    expect(choice).toMatchObject({ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' });
    expect(whole(headOf(), start, end('refusal')).choices[0].finish_reason).toBe('content_filter');
  });

  test('has its call in function_call if the request has functions', () => {
    const legacy = headOf({}, { functions: [{ name: 'f' }] });
    const [choice] = whole(legacy, ...events).choices;
    expect(choice.message.function_call).toEqual({ name: 'f', arguments: '{"x":1}' });
    expect(choice.finish_reason).toBe('function_call');
    const frames = stream(legacy, ...events);
    const pieces = deltas(frames).flatMap(({ function_call }) => function_call ?? []);
    expect(pieces).toEqual([{ name: 'f', arguments: '' }, { arguments: '{"x":1}' }]);
    expect(frames.at(-2).choices[0].finish_reason).toBe('function_call');
  });
});

describe('several answers to one request', () => {
  const answers = ['a', 'b', 'c'].map((word) => [
    start,
    ...text(0, word),
    { type: 'usage', usage } as const,
    end(),
  ]);

  test('are joined into one completion with the sum of their usage', () => {
    const [first, ...rest] = answers.map((events) => JSON.stringify(whole(headOf(), ...events)));
    const sum = answers.map((): Usage => usage).reduce(addUsage);
    const joined = JSON.parse(joinChoices([first!, ...rest], sum));
    expect(contractProblems('CreateChatCompletionResponse', joined)).toEqual([]);
    expect(joined.choices.map(({ index, message }: Json) => [index, message.content])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    expect(joined.usage).toMatchObject({ prompt_tokens: 24, completion_tokens: 18, total_tokens: 42 });
    expect(joined.usage.prompt_tokens_details.cached_tokens).toBe(9);
    expect(joined.usage.completion_tokens_details.reasoning_tokens).toBe(12);
  });

  test('stream in parallel under their numbers, with one end', () => {
    const head = headOf({}, asksUsage);
    const { choiceEncoder, closingFrames } = createChatDialectCodec().severalAnswers!;
    const frames = answers.flatMap((events, index) => events.flatMap(choiceEncoder(head, index)));
    const all = [...frames, ...closingFrames(head, usage)].map(({ data }) => data);
    expect(all.filter((data) => data === '[DONE]')).toHaveLength(1);
    const choices = all.slice(0, -1).flatMap((data) => JSON.parse(data).choices);
    const finished = choices.filter(({ finish_reason }) => finish_reason === 'stop');
    expect(finished.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});
