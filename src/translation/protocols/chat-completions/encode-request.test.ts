import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { LossCode } from '../../canonical/loss.ts';
import type { Part, ToolResultContent } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { restoreCall } from '../../encoding/restore-tools.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';
import { createChatWireCodec } from './create-chat-wire-codec.ts';

const wire = createChatWireCodec();
const dialect = createChatDialectCodec();
const target: EncodeTarget = {
  upstreamModel: 'some-model',
  reasoning: true,
  reasoningEfforts: ['low', 'high'],
  maxOutput: 1_000,
};
const hi: Turn = { role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const own = (data: string) => ({ issuer: 'chat-completions', data }) as const;
const png = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } } as const;

// biome-ignore lint/suspicious/noExplicitAny: a body is read as a host would
type Json = any;

function encode(request: Partial<CanonicalRequest>, changes: Partial<EncodeTarget> = {}) {
  const encoded = acceptedOrError(
    wire.encodeRequest(plainRequest({ turns: [hi], ...request }), { ...target, ...changes }),
  );
  const codes = encoded.losses.map(({ code }): LossCode => code);
  return { body: JSON.parse(encoded.body) as Json, losses: codes.sort(), text: encoded.body };
}

const refusalOf = (request: Partial<CanonicalRequest>, changes: Partial<EncodeTarget> = {}) =>
  wire.encodeRequest(plainRequest({ turns: [hi], ...request }), { ...target, ...changes }) as Refusal;

const messagesOf = (...turns: Turn[]) => encode({ turns: [hi, ...turns] }).body.messages.slice(1);

test('sends only what was asked for, with the usage of streams', () => {
  expect(encode({}).body).toEqual({ model: 'some-model', messages: [{ role: 'user', content: 'hi' }] });
  expect(encode({ stream: true }).body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

describe('messages', () => {
  test('keeps system messages in place, and sends text alone as a string', () => {
    const text = (text: string) => ({ kind: 'text', text }) as const;
    const turns: Turn[] = [hi, { role: 'system', parts: [text('c')] }, hi];
    expect(encode({ system: [text('a'), text('b')], turns }).body.messages).toEqual([
      { role: 'system', content: 'a\n\nb' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'c' },
      { role: 'user', content: 'hi' },
    ]);
  });

  test('puts results first and their media after them', () => {
    const result = (callId: string, ...content: ToolResultContent[]): Part => ({
      kind: 'tool-result',
      callId,
      content,
    });
    const parts = [hi.parts[0]!, result('a', png), result('b', { kind: 'text', text: 'fine' }, png)];
    const { body, losses } = encode({ turns: [hi, { role: 'user', parts }] });
    expect(losses).toEqual(['tool-result-media']);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(body.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'The result is attached to the next message.' },
      { role: 'tool', tool_call_id: 'b', content: 'fine' },
      { role: 'user', content: [image, image, { type: 'text', text: 'hi' }] },
    ]);
  });

  test('returns a thought to its host in its field and drops a foreign one', () => {
    const thought = (
      text: string,
      replay?: { issuer: 'messages' | 'chat-completions'; data: string },
    ): Part => ({
      kind: 'thinking',
      form: 'full',
      text,
      ...(replay && { replay }),
    });
    const parts: Part[] = [
      thought('a', own('reasoning')),
      thought('b', own('reasoning')),
      thought('c', { issuer: 'messages', data: 's' }),
      { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'd' } },
      thought('e'),
      { kind: 'text', text: 'x' },
    ];
    const turns: Turn[] = [hi, { role: 'assistant', parts }];
    const { body, losses } = encode({ turns });
    expect(body.messages[1]).toEqual({ role: 'assistant', content: 'x', reasoning: 'ab' });
    expect(losses).toEqual(['replay-token', 'thinking-block']);
    expect(encode({ turns }, { upstreamModel: 'gpt-5' }).body.messages[1]).toEqual({
      role: 'assistant',
      content: 'x',
    });
    expect(
      messagesOf({ role: 'assistant', parts: [thought('m', own('thinking')), { kind: 'text', text: 'x' }] }),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'm' }] },
          { type: 'text', text: 'x' },
        ],
      },
    ]);
  });

  test('drops a turn without remaining content', () => {
    expect(messagesOf({ role: 'assistant', parts: [] }, { role: 'user', parts: [] })).toEqual([]);
  });

  test('refuses sources that the wire cannot express', () => {
    const document: Part = { kind: 'document', source: { kind: 'url', url: 'https://a.example/a.pdf' } };
    expect(refusalOf({ turns: [{ role: 'user', parts: [document] }] })).toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('tools', () => {
  test('keeps the bytes of schemas', () => {
    const schema = '{ "type":"object", "properties":{"b":{"const":1.0}} }';
    expect(
      encode({ tools: [{ kind: 'function', name: 'f', inputSchema: new RawJson(schema), strict: true }] })
        .text,
    ).toContain(`"parameters":${schema},"strict":true`);
  });

  test('turns grouped and freeform tools into functions and restores their calls', () => {
    const tools: CanonicalRequest['tools'] = [
      { kind: 'function', name: 'find', namespace: 'crm' },
      { kind: 'freeform', name: 'patch', format: new RawJson('{"type":"text"}') },
      { kind: 'opaque', issuer: 'responses', tool: new RawJson('{"type":"web_search"}') },
    ];
    const toolChoice = { kind: 'named', name: 'find', namespace: 'crm' } as const;
    const { body, losses } = encode({ tools, toolChoice, parallelToolCalls: false });
    expect(losses).toEqual(['freeform-tool', 'namespace-flattened', 'opaque-tool']);
    expect(body.tools.map((tool: Json) => [tool.type, tool.function.name])).toEqual([
      ['function', 'crm__find'],
      ['function', 'patch'],
    ]);
    expect(body).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'crm__find' } },
      parallel_tool_calls: false,
    });
    const restore = restoreCall(tools);
    const call = (name: string, text: string) =>
      ({ kind: 'tool-call', callId: 'a', name, input: { kind: 'json', text } }) as const;
    expect(restore(call('crm__find', '{}'))).toMatchObject({ name: 'find', namespace: 'crm' });
    expect(restore(call('patch', '{"input":"a\\nb"}')).input).toEqual({ kind: 'freeform', text: 'a\nb' });
  });
});

describe('options', () => {
  test('lowers the token limit to the maximum of the model, under the name that it accepts', () => {
    expect(encode({ maxOutputTokens: 5_000 }).body.max_tokens).toBe(1_000);
    for (const upstreamModel of ['gpt-5-mini', 'o3', 'openai/gpt-4.1'])
      expect(encode({ maxOutputTokens: 10 }, { upstreamModel }).body.max_completion_tokens).toBe(10);
    expect(encode({ maxOutputTokens: 10 }, { upstreamModel: 'gpt-oss-120b' }).body.max_tokens).toBe(10);
  });

  test('drops unsupported options and reports the losses', () => {
    const stopSequences = ['a', 'b', 'c', 'd', 'e'];
    const { body, losses } = encode({
      sampling: { topK: 4, seed: 1, stopSequences },
      hints: { user: 'u', cacheKey: 'k', serviceTier: 'flex' },
    });
    expect(body).toEqual({ ...encode({}).body, seed: 1, stop: ['a', 'b', 'c', 'd'] });
    expect(losses).toEqual(['service-tier', 'top-k', 'user-hint']);
    expect(encode({ hints: { user: 'u', cacheKey: 'k' } }, { upstreamModel: 'gpt-5' }).body).toMatchObject({
      safety_identifier: 'u',
      prompt_cache_key: 'k',
    });
  });

  test.each([
    ['thinking-by-type', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
    ['thinking-by-flag', { enable_thinking: true }, { enable_thinking: false }],
    ['thinking-by-reasoning', { reasoning: { enabled: true } }, { reasoning: { enabled: false } }],
  ] as const)("asks for thinking in the host's own field: %s", (thinkingField, on, off) => {
    const host = { thinkingField, reasoningEfforts: [] };
    const ask = (mode: 'enabled' | 'disabled' | 'default', budgetTokens?: number) => {
      const thinking = {
        mode,
        effortIsRequired: false,
        visible: true,
        ...(budgetTokens && { budgetTokens }),
      };
      const { model: _, messages: __, max_tokens: ___, ...fields } = encode({ thinking }, host).body;
      return fields;
    };
    expect([ask('enabled'), ask('disabled'), ask('default')]).toEqual([on, off, {}]);
    const summary = { mode: 'default', effortIsRequired: true, visible: true, display: 'auto' } as const;
    expect(encode({ thinking: summary }, host).body).toMatchObject(on);
    expect(encode({ thinking: { ...summary, mode: 'disabled' } }, host).body).toMatchObject(off);
    const budgets = {
      'thinking-by-type': on,
      'thinking-by-flag': { ...on, thinking_budget: 2_000 },
      'thinking-by-reasoning': { reasoning: { max_tokens: 2_000 } },
    };
    expect(ask('enabled', 2_000)).toEqual(budgets[thinkingField]);
  });

  test('names the usual effort, or the next one, for a model that thinks only by effort', () => {
    const thinking = { mode: 'enabled', effortIsRequired: false, visible: true } as const;
    const effort = (...reasoningEfforts: string[]) =>
      encode({ thinking }, { reasoningEfforts }).body.reasoning_effort;
    expect([effort('low', 'medium'), effort('low', 'high', 'max'), effort('low')]).toEqual([
      'medium',
      'high',
      undefined,
    ]);
  });

  test('keeps, lowers or refuses an effort', () => {
    const effort = (effort: string, { effortIsRequired }: { effortIsRequired: boolean }) =>
      ({ thinking: { mode: 'default', effort, effortIsRequired, visible: true } }) as const;
    expect(encode(effort('high', { effortIsRequired: true })).body.reasoning_effort).toBe('high');
    expect(encode(effort('medium', { effortIsRequired: false }))).toMatchObject({
      body: { reasoning_effort: 'low' },
      losses: ['effort-lowered'],
    });
    expect(refusalOf(effort('medium', { effortIsRequired: true }))).toMatchObject({
      code: 'route_not_qualified',
      param: 'reasoning_effort',
    });
    expect(
      refusalOf(effort('high', { effortIsRequired: true }), { reasoning: false, reasoningEfforts: [] }).code,
    ).toBe('route_not_qualified');
    const budget = { mode: 'enabled', budgetTokens: 20_000, effortIsRequired: false, visible: true } as const;
    expect(encode({ thinking: budget }).body.reasoning_effort).toBe('high');
    expect(encode({ thinking: budget }, { reasoning: false, reasoningEfforts: [] }).body).toEqual(
      encode({}).body,
    );
  });

  test('refuses several answers and log probabilities, which events cannot carry', () => {
    expect(refusalOf({ choices: 2 })).toMatchObject({ code: 'route_not_qualified', param: 'n' });
    expect(refusalOf({ logprobs: {} })).toMatchObject({ code: 'route_not_qualified', param: 'logprobs' });
  });
});

/** Creates a small generator that returns the same numbers in every run. */
function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(...values: T[]): T => values[below(values.length)]!;
  return { below, pick, maybe: <T extends object>(value: T) => (below(2) ? value : {}) };
}

function conversation(seed: number): CanonicalRequest {
  const { below, pick, maybe } = createRandom(seed);
  const word = () => pick('a', 'b"\\', '\u{1f600}', 'line\nline', '{"x":1}', ' ');
  const text = (): Part => ({ kind: 'text', text: word() });
  const turns: Turn[] = [{ role: 'user', parts: [text()] }];
  for (let round = below(4); round > 0; round--) {
    const ids = Array.from({ length: below(3) }, (_, index) => `call-${round}-${index}`);
    const said: Part[] = [
      ...(below(2)
        ? [
            {
              kind: 'thinking',
              form: 'full',
              text: word(),
              replay: own(pick('reasoning', 'reasoning_content')),
            } as const,
          ]
        : []),
      ...(below(3) || ids.length === 0 ? [text()] : []),
      ...(below(6) === 0 ? [{ kind: 'refusal', text: word() } as const] : []),
      ...ids.map(
        (callId): Part => ({
          kind: 'tool-call',
          callId,
          name: pick('f', 'g'),
          input: { kind: 'json', text: pick('{}', '{"x": 1}', 'not json') },
          ...maybe({ replay: own('signed') }),
        }),
      ),
    ];
    const results = ids.map(
      (callId): Part => ({
        kind: 'tool-result',
        callId,
        content: below(3) ? [{ kind: 'text', text: word() }] : [],
      }),
    );
    const rest: Part[] = below(2) ? [png, text()] : [text()];
    turns.push({ role: 'assistant', parts: said }, { role: 'user', parts: [...results, ...rest] });
  }
  return plainRequest({
    model: 'some-model',
    stream: below(2) === 0,
    system: below(2) ? [{ kind: 'text', text: word() }] : [],
    turns,
    tools: [
      { kind: 'function', name: 'f', inputSchema: new RawJson('{ "type":"object" }') },
      { kind: 'function', name: 'g', description: 'x' },
    ],
    ...maybe({
      toolChoice: pick(
        { kind: 'any' } as const,
        { kind: 'named', name: 'f' } as const,
        { kind: 'none' } as const,
      ),
    }),
    ...maybe({ parallelToolCalls: below(2) === 0 }),
    ...maybe({ maxOutputTokens: 1 + below(900) }),
    sampling: {
      ...maybe({ temperature: 0.5 }),
      ...maybe({ seed: 4 }),
      ...maybe({ stopSequences: [word()] }),
    },
    ...maybe({
      format: { kind: 'json-schema', name: 'r', schema: new RawJson('{ "a":1.0 }'), strict: true } as const,
    }),
    ...maybe({
      thinking: { mode: 'default', effort: 'high', effortIsRequired: true, visible: true } as const,
    }),
  });
}

test('decodes a request that was encoded without a loss to the same request', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const request = conversation(seed);
    const encoded = acceptedOrError(wire.encodeRequest(request, target));
    expect(encoded.losses).toEqual([]);
    expect(dialect.decodeRequest(parseBodyAtOnce(encoded.body) as JsonBody)).toEqual(request);
  }
});
