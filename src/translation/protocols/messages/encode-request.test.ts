import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { Part } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Thinking } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { encodeRequest } from './encode-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON as the vendor reads it
type Json = any;

const plain: EncodeTarget = { upstreamModel: 'claude', reasoning: false, reasoningEfforts: [] };
const budgeted: EncodeTarget = { ...plain, reasoning: true, maxOutput: 64_000 };
const adaptive: EncodeTarget = { ...budgeted, reasoningEfforts: ['low', 'medium', 'high'] };

const tools = [{ kind: 'function' as const, name: 'f' }];
const call = (callId: string, text = '{}'): Part => ({
  kind: 'tool-call',
  callId,
  name: 'f',
  input: { kind: 'json', text },
});
const result = (callId: string): Part => ({
  kind: 'tool-result',
  callId,
  content: [{ kind: 'text', text: callId }],
});

function encode(changes: Partial<CanonicalRequest>, target = plain): { body: Json; losses: string[] } {
  const encoded = acceptedOrError(encodeRequest(plainRequest(changes), target));
  return { body: JSON.parse(encoded.body), losses: encoded.losses.map(({ code }) => code) };
}

const refused = (changes: Partial<CanonicalRequest>, target = plain) =>
  encodeRequest(plainRequest(changes), target) as Refusal;

const think = (changes: Partial<Thinking>): Thinking => ({
  mode: 'default',
  effortIsRequired: false,
  visible: false,
  ...changes,
});

describe('a request on the messages wire', () => {
  test('contains only the required fields', () => {
    expect(encode({})).toEqual({
      body: {
        model: 'claude',
        max_tokens: 4096,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      },
      losses: [],
    });
  });

  test('lowers the token limit to the maximum of the model, which is also the default', () => {
    expect(encode({ maxOutputTokens: 128_000 }, budgeted).body.max_tokens).toBe(64_000);
    expect(encode({ maxOutputTokens: 5 }, budgeted).body.max_tokens).toBe(5);
    expect(encode({}, budgeted).body.max_tokens).toBe(64_000);
  });

  test('has alternating turns that begin with the user and answer calls first', () => {
    const { messages, system } = encode({
      turns: [
        { role: 'system', parts: [{ kind: 'text', text: 'be kind' }] },
        { role: 'assistant', parts: [call('functions.f:0', '{"n": 12345678901234567890}')] },
        { role: 'assistant', parts: [call('b', 'no JSON')] },
        { role: 'user', parts: [{ kind: 'text', text: ' ' }, { kind: 'text', text: 'well?' }, result('b')] },
        { role: 'user', parts: [result('functions.f:0')] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'so: \n' }] },
      ],
      tools,
    }).body;
    expect(system).toEqual([{ type: 'text', text: 'be kind' }]);
    expect(messages.map(({ role }: Json) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const [first, second] = messages[1].content;
    expect(first.id).toMatch(/^functions_f_0_[\w-]+$/);
    expect(second.input).toEqual({ input: 'no JSON' });
    expect(messages[2].content.map((block: Json) => block.tool_use_id ?? block.text)).toEqual([
      first.id,
      'b',
      'well?',
    ]);
    expect(messages[3].content[0].text).toBe('so:');
  });

  test('keeps the text of arguments and schemas', () => {
    const schema = new RawJson('{"type":"object","maximum":1.0}');
    const encoded = encodeRequest(
      plainRequest({
        turns: [{ role: 'assistant', parts: [call('a', '{"n": 12345678901234567890}')] }],
        tools: [{ kind: 'function', name: 'f', inputSchema: schema, strict: true }],
      }),
      plain,
    );
    expect((encoded as { body: string }).body).toContain('"input":{"n": 12345678901234567890}');
    expect((encoded as { body: string }).body).toContain(
      '"input_schema":{"type":"object","maximum":1.0},"strict":true',
    );
    expect(encode({ tools }).body.tools).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  test('returns thinking only to the vendor that signed it', () => {
    const parts: Part[] = [
      { kind: 'thinking', form: 'full', text: '', replay: { issuer: 'messages', data: 'sig' } },
      { kind: 'thinking', form: 'full', text: 'hm', replay: { issuer: 'responses', data: 'enc' } },
      { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'dark' } },
      { kind: 'opaque', issuer: 'google', block: {} },
      { kind: 'text', text: 'so' },
    ];
    const turns: CanonicalRequest['turns'] = [
      { role: 'user', parts: [] },
      { role: 'assistant', parts },
    ];
    const { body, losses } = encode({ turns }, budgeted);
    expect(body.messages[1].content).toEqual([
      { type: 'thinking', thinking: '', signature: 'sig' },
      { type: 'redacted_thinking', data: 'dark' },
      { type: 'text', text: 'so' },
    ]);
    expect(losses.sort()).toEqual(['opaque-block', 'replay-token', 'thinking-block']);
    expect(encode({ turns }).body.messages[1].content).toEqual([{ type: 'text', text: 'so' }]);
  });

  test('turns a text file into a text document and its name into a title', () => {
    const source = { kind: 'base64', mediaType: 'text/csv', data: btoa('a,b') } as const;
    const parts: Part[] = [{ kind: 'document', source, filename: 'a.csv', citable: true }];
    expect(encode({ turns: [{ role: 'user', parts }] }).body.messages[0].content).toEqual([
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
        title: 'a.csv',
        citations: { enabled: true },
      },
    ]);
  });

  test('encodes the tool choice', () => {
    const choice = (changes: Partial<CanonicalRequest>) => encode({ tools, ...changes }).body.tool_choice;
    expect(choice({})).toBeUndefined();
    expect(choice({ toolChoice: { kind: 'none' }, parallelToolCalls: false })).toEqual({ type: 'none' });
    expect(choice({ toolChoice: { kind: 'named', name: 'f' } })).toEqual({ type: 'tool', name: 'f' });
    expect(choice({ parallelToolCalls: false })).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    expect(refused({ toolChoice: { kind: 'any' } })).toMatchObject({
      code: 'route_not_qualified',
      param: 'tool_choice',
    });
  });

  test('refuses unsupported requirements', () => {
    expect(refused({ choices: 2 })).toMatchObject({ code: 'route_not_qualified', param: 'n' });
    expect(refused({ logprobs: {} })).toMatchObject({ code: 'route_not_qualified', param: 'logprobs' });
    const audio: Part = { kind: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: '' } };
    expect(refused({ turns: [{ role: 'user', parts: [audio] }] }).code).toBe('route_not_qualified');
    const thinking = think({ effort: 'high', effortIsRequired: true });
    expect(refused({ thinking }).code).toBe('route_not_qualified');
  });

  test('drops unsupported hints and reports the losses', () => {
    const sampling = {
      temperature: 1.5,
      frequencyPenalty: 1,
      seed: 1,
      topK: 3,
      stopSequences: ['\n', 'END'],
    };
    const { body, losses } = encode({
      sampling,
      hints: { cacheKey: 'k', user: 'u', serviceTier: 'flex' },
      format: { kind: 'json-object' },
    });
    expect(body).toMatchObject({
      temperature: 1,
      top_k: 3,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
    });
    expect(body.system[0].text).toContain('JSON');
    expect(losses.sort()).toEqual(['output-format', 'penalty', 'sampling', 'seed', 'service-tier']);
  });

  test.each([
    ['claude-sonnet-4-5@20250929', true],
    ['anthropic/Claude-opus-5', true],
    ['MiniMax-M3', false],
    ['glm-5.2', false],
  ])('a conversation with a cache key has marks on %s: %p', (upstreamModel, hasMarks) => {
    const changes = { hints: { cacheKey: 'k', wantsCache: true as const } };
    const { body, losses } = encode(changes, { ...plain, upstreamModel });
    expect({ hasMarks: JSON.stringify(body).includes('cache_control'), losses }).toEqual({
      hasMarks,
      losses: [],
    });
  });

  test('a compaction that forbids calls has marks in its instructions only', () => {
    const prompt = { system: [{ kind: 'text' as const, text: 's' }], hints: { wantsCache: true as const } };
    const choice = { compacts: true as const, toolChoice: { kind: 'none' as const } };
    const marksOf = (changes: Partial<CanonicalRequest>) => {
      const { system, messages } = encode({ ...prompt, ...changes }).body;
      return [system, messages].map((part) => JSON.stringify(part).includes('cache_control'));
    };
    expect(marksOf({ ...choice, tools })).toEqual([true, false]);
    expect(marksOf({ ...choice })).toEqual([true, true]);
    expect(marksOf({ tools })).toEqual([true, true]);
  });

  test('requests a format with a schema', () => {
    const schema = new RawJson('{"type":"object"}');
    expect(encode({ format: { kind: 'json-schema', schema, strict: true } }).body.output_config).toEqual({
      format: { type: 'json_schema', schema: { type: 'object' } },
    });
  });
});

const thinkingOf = (
  thinking: Partial<Thinking>,
  target: EncodeTarget,
  changes: Partial<CanonicalRequest> = {},
) => {
  const { body, losses } = encode({ thinking: think(thinking), ...changes }, target);
  return { thinking: body.thinking, effort: body.output_config?.effort, losses };
};

describe('thinking on the messages wire', () => {
  test('is dropped if the model does not support it', () => {
    expect(thinkingOf({ mode: 'enabled', budgetTokens: 2048, effort: 'high' }, plain)).toMatchObject({
      thinking: undefined,
      effort: undefined,
    });
  });

  test('keeps a budget below the token limit', () => {
    const budget = (budgetTokens: number, maxOutputTokens: number) =>
      thinkingOf({ mode: 'enabled', budgetTokens }, adaptive, { maxOutputTokens }).thinking;
    expect(budget(2048, 8192)).toEqual({ type: 'enabled', budget_tokens: 2048 });
    expect(budget(32_000, 32_000)).toEqual({ type: 'enabled', budget_tokens: 31_999 });
    expect(budget(2048, 1000)).toBeUndefined();
  });

  test('is adaptive without a budget, or uses the budget of the effort', () => {
    expect(thinkingOf({ mode: 'enabled' }, adaptive).thinking).toEqual({ type: 'adaptive' });
    expect(thinkingOf({ mode: 'adaptive' }, budgeted).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 8192,
    });
    expect(thinkingOf({ effort: 'high', effortIsRequired: true }, adaptive)).toEqual({
      thinking: { type: 'adaptive' },
      effort: 'high',
      losses: [],
    });
    expect(thinkingOf({ effort: 'max' }, adaptive)).toMatchObject({
      effort: 'high',
      losses: ['effort-lowered'],
    });
    expect(thinkingOf({ mode: 'disabled' }, adaptive).thinking).toEqual({ type: 'disabled' });
  });

  test('is dropped for forced calls and for calls that were made without it', () => {
    expect(thinkingOf({ mode: 'enabled' }, adaptive, { tools, toolChoice: { kind: 'any' } })).toEqual({
      thinking: undefined,
      effort: undefined,
      losses: ['thinking-budget'],
    });
    const turns: CanonicalRequest['turns'] = [
      { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
      { role: 'assistant', parts: [call('a')] },
      { role: 'user', parts: [result('a')] },
    ];
    expect(thinkingOf({ mode: 'enabled' }, budgeted, { tools, turns }).thinking).toBeUndefined();
    expect(thinkingOf({ mode: 'enabled' }, adaptive, { tools, turns }).thinking).toEqual({
      type: 'adaptive',
    });
  });

  test('excludes a temperature', () => {
    const sampling = { temperature: 0.5, topP: 0.5, topK: 2 };
    const { body, losses } = encode({ thinking: think({ mode: 'enabled' }), sampling }, adaptive);
    expect({ temperature: body.temperature, top_p: body.top_p, top_k: body.top_k }).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
    });
    expect(losses).toEqual(['sampling', 'top-k']);
  });
});
