import { describe, expect, test } from 'bun:test';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import { inputTotal, outputTotal } from '../../canonical/usage.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import { readUsage } from '../openai/openai-usage.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

const DONE: Frame = { data: '[DONE]' };
const frame = (chunk: object): Frame => ({ data: JSON.stringify(chunk) });
const delta = (delta: object, rest: object = {}): Frame =>
  frame({ id: 'c-1', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] });
const calls = (...tool_calls: object[]): Frame => delta({ tool_calls });
const finish = (finish_reason: string): Frame => delta({}, { finish_reason });

function decode(...frames: Frame[]): StreamEvent[] {
  const decoder = createStreamDecoder();
  return frames.flatMap((one) => decoder(one));
}

const answer = (...frames: Frame[]): CanonicalResponse =>
  collect(decode(...frames, DONE)) as CanonicalResponse;

const inputs = (parts: OutputPart[]) =>
  parts.flatMap((part) =>
    part.kind === 'tool-call' ? [`${part.callId} ${part.name} ${part.input.text}`] : [],
  );

describe('tool calls', () => {
  test('continues a call whose pieces have neither index nor id', () => {
    const { parts } = answer(
      calls({ id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      calls({ function: { arguments: '1}' } }),
      finish('tool_calls'),
    );
    expect(inputs(parts)).toEqual(['a f {"x":1}']);
  });

  test('separates calls with the same index by their ids', () => {
    const { parts } = answer(
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      calls({ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":2}' } }),
      finish('stop'),
    );
    expect(inputs(parts)).toEqual(['a f {}', 'b f {"x":2}']);
  });

  test('assigns interleaved pieces to their calls', () => {
    const { parts } = answer(
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      calls({ index: 1, id: 'b', function: { name: 'g', arguments: '{"y"' } }),
      calls({ index: 0, function: { arguments: ':1}' } }, { index: 1, function: { arguments: ':2}' } }),
      finish('tool_calls'),
    );
    expect(inputs(parts)).toEqual(['a f {"x":1}', 'b g {"y":2}']);
  });

  test('names a call once, even if its name is late, repeated or later empty', () => {
    const { parts } = answer(
      calls({ index: 0, id: 'a', function: { arguments: '{' } }),
      calls({ index: 0, function: { name: 'f', arguments: '' } }),
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '"x":1' } }),
      calls({ index: 0, function: { name: '', arguments: '}' } }),
      finish('tool_calls'),
    );
    expect(inputs(parts)).toEqual(['a f {"x":1}']);
  });

  test('creates missing ids and accepts object arguments and function_call', () => {
    const { parts } = answer(calls({ function: { name: 'f', arguments: { x: 1 } } }), finish('stop'));
    expect(inputs(parts)).toEqual(['call_c-1_0 f {"x":1}']);
    const legacy = answer(
      delta({ function_call: { name: 'f', arguments: '{' } }),
      delta({ function_call: { arguments: '}' } }),
      finish('function_call'),
    );
    expect(inputs(legacy.parts)).toEqual(['call_c-1_0 f {}']);
    expect(legacy.stop).toEqual({ kind: 'tool-call', raw: 'function_call' });
  });

  test('decodes a custom call as freeform', () => {
    const { parts } = answer(
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '' } }),
      calls({ index: 0, custom: { input: '*** Begin' } }),
      finish('tool_calls'),
    );
    expect(parts).toEqual([
      { kind: 'tool-call', callId: 'a', name: 'patch', input: { kind: 'freeform', text: '*** Begin' } },
    ]);
  });

  test('keeps the signature of a call', () => {
    const { parts } = answer(
      calls({
        id: 'a',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { thought_signature: 's' } },
      }),
      finish('tool_calls'),
    );
    expect(parts[0]).toMatchObject({ replay: { issuer: 'chat-completions', data: 's' } });
  });
});

test('fails at an answer with more calls than any model makes', () => {
  const begun = Array.from({ length: 2_000 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: 'f' },
  }));
  expect(decode(calls(...begun)).filter(({ type }) => type === 'part-start')).toHaveLength(2_000);
  expect(() => decode(calls(...begun, { index: 2_000, id: 'more', function: { name: 'f' } }))).toThrow(
    'too many',
  );
});

describe('output', () => {
  test('reads a first delta in the opening chunk and alternates between kinds of parts', () => {
    const { parts } = answer(
      delta({ role: 'assistant', reasoning: 'a', reasoning_content: 'a' }),
      delta({ reasoning_content: 'b', content: 'c' }),
      delta({ content: 'd' }),
      delta({ reasoning_text: 'e' }),
      finish('stop'),
    );
    const replay = (data: string) => ({ issuer: 'chat-completions', data }) as const;
    expect(parts).toEqual([
      { kind: 'thinking', form: 'full', text: 'ab', replay: replay('reasoning_content') },
      { kind: 'text', text: 'cd' },
      { kind: 'thinking', form: 'full', text: 'e', replay: replay('reasoning_text') },
    ]);
  });

  test('reads content that is a list of thoughts and texts', () => {
    const { parts } = answer(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      delta({
        content: [
          { type: 'text', text: 'yes' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      finish('stop'),
    );
    expect(parts.map((part) => 'text' in part && part.text)).toEqual(['hm', 'yes']);
  });

  test('cites each source once, even if the host repeats it', () => {
    const cited = (content: string) =>
      frame({
        id: 'c',
        model: 'm',
        choices: [{ index: 0, delta: { content } }],
        citations: ['https://a.example'],
      });
    const annotation = {
      type: 'url_citation',
      url_citation: { url: 'https://b.example', title: 'B', start_index: 0, end_index: 1 },
    };
    const { parts } = answer(cited('a'), cited('b'), delta({ annotations: [annotation] }), finish('stop'));
    expect(parts).toMatchObject([
      {
        text: 'ab',
        citations: [{ url: 'https://a.example' }, { url: 'https://b.example', title: 'B', raw: annotation }],
      },
    ]);
  });

  test('decodes a refusal as a part and a stop', () => {
    const { parts, stop } = answer(delta({ refusal: 'No.' }), finish('stop'));
    expect(parts).toEqual([{ kind: 'refusal', text: 'No.' }]);
    expect(stop.kind).toBe('refusal');
  });

  test('maps finish reasons, with precedence for calls', () => {
    const stops = ['stop', 'length', 'content_filter', 'tool_calls', 'eos', 'new_word'].map(
      (word) => answer(delta({ content: 'x' }), finish(word)).stop.kind,
    );
    expect(stops).toEqual(['end-turn', 'max-tokens', 'content-filter', 'end-turn', 'end-turn', 'other']);
    expect(answer(calls({ id: 'a', function: { name: 'f' } }), finish('stop')).stop.kind).toBe('tool-call');
  });
});

describe('the end', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const types = (...frames: Frame[]) => decode(...frames).map(({ type }) => type);

  test('reads usage with the last choice, after it, in the choice and in x_groq', () => {
    const last = { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    for (const frames of [
      [frame({ ...last, usage })],
      [frame(last), frame({ choices: [], usage })],
      [frame({ ...last, x_groq: { usage } })],
      [frame({ ...last, choices: [{ ...last.choices[0], usage }] })],
    ])
      expect(types(...frames, DONE, END_OF_BODY)).toEqual(['response-start', 'usage', 'response-end']);
  });

  test('accepts a body that ends after a finish reason and rejects one that ends before', () => {
    expect(types(delta({ content: 'x' }), finish('stop'), END_OF_BODY).at(-1)).toBe('response-end');
    expect(() => decode(delta({ content: 'x' }), END_OF_BODY)).toThrow(SyntaxError);
    expect(() => decode(DONE)).toThrow(SyntaxError);
    expect(types(delta({ content: 'x' }), DONE).at(-1)).toBe('response-end');
  });

  test.each<[Frame, string]>([
    [frame({ error: { message: 'Rate limit reached', code: 429 } }), 'upstream_overloaded'],
    [frame({ error: { type: 'overloaded_error' } }), 'upstream_overloaded'],
    [frame({ error: { code: 'context_length_exceeded' } }), 'context_length_exceeded'],
    [frame({ error: { code: 'content_filter' } }), 'content_filter'],
    [frame({ error: 'boom' }), 'upstream_unavailable'],
    [{ event: 'error', data: '{"message":"boom"}' }, 'upstream_unavailable'],
    [delta({}, { finish_reason: 'error', error: { code: 503 } }), 'upstream_overloaded'],
    [finish('insufficient_system_resource'), 'upstream_overloaded'],
  ])('ends the stream with a gateway refusal at an error: %j', (bad, code) => {
    const events = decode(delta({ content: 'x' }), bad, delta({ content: 'y' }), DONE);
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'response-error', refusal: { code } });
    expect(last?.type === 'response-error' && last.refusal.message).not.toContain('boom');
    expect(events.filter(({ type }) => type.startsWith('response-'))).toHaveLength(2);
  });

  test('throws at an invalid chunk', () => {
    for (const data of ['{', '[]', '"x"', '{"hello":1}'])
      expect(() => decode(delta({ content: 'x' }), { data })).toThrow(SyntaxError);
    for (const text of ['{', '[]', '{}', '{"choices":[]}', '{"choices":[{}]}'])
      expect(() => splitAnswer(text)).toThrow(SyntaxError);
  });

  test('decodes an error in place of an answer like one in a stream', () => {
    expect(types(...splitAnswer('{"error":{"message":"overloaded"}}'))).toEqual(['response-error']);
  });

  test('separates parallel calls of a whole answer without indexes', () => {
    const tool_calls = ['a', 'b'].map((id) => ({ id, function: { name: 'f', arguments: `"${id}"` } }));
    const message = { role: 'assistant', content: 'x', tool_calls };
    const body = { id: 'c', model: 'm', choices: [{ message, finish_reason: 'tool_calls' }], usage };
    expect(inputs(answer(...splitAnswer(JSON.stringify(body))).parts)).toEqual(['a f "a"', 'b f "b"']);
  });
});

describe('usage', () => {
  const totals = (usage: object) => {
    const read = readUsage({ prompt_tokens: 10, completion_tokens: 4, ...usage })!;
    return { ...read.input, ...read.output, total: inputTotal(read) + outputTotal(read) };
  };
  const details = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } });

  test('counts reasoning within the completion, or beside it if the total shows that', () => {
    expect(totals({ ...details(3), total_tokens: 14 })).toMatchObject({ visible: 1, thinking: 3, total: 14 });
    expect(totals({ ...details(30), total_tokens: 44 })).toMatchObject({
      visible: 4,
      thinking: 30,
      total: 44,
    });
    expect(totals({ ...details(3), total_tokens: 17 })).toMatchObject({ visible: 4, thinking: 3, total: 17 });
    expect(totals({ total_tokens: 19 })).toMatchObject({ visible: 4, thinking: 5, total: 19 });
  });

  test('finds cached tokens in every field that hosts use', () => {
    for (const usage of [
      { prompt_tokens_details: { cached_tokens: 6 } },
      { prompt_cache_hit_tokens: 6 },
      { cached_tokens: 6 },
    ])
      expect(totals(usage)).toMatchObject({ uncached: 4, cacheRead: 6, total: 14 });
    expect(totals({ prompt_tokens_details: { cached_tokens: 99 } })).toMatchObject({
      uncached: 0,
      cacheRead: 10,
    });
    expect(totals({})).toMatchObject({ uncached: 10, cacheRead: undefined });
  });
});
