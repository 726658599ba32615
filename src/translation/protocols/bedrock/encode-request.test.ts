import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { Field } from '../../../simulator/model/field.ts';
import { readBedrockConverse } from '../../../simulator/wires/read-bedrock-converse.ts';
import { collect } from '../../canonical/collect.ts';
import type { Part } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Thinking } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { randomRequest } from '../testing/random-request.ts';
import { bedrockWire } from './bedrock-wire.ts';

const target = (changes: Partial<EncodeTarget> = {}): EncodeTarget => ({
  upstreamModel: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  reasoning: true,
  reasoningEfforts: ['low', 'medium', 'high'],
  ...changes,
});
const nova = target({ upstreamModel: 'amazon.nova-pro-v1:0' });
const llama = target({ upstreamModel: 'meta.llama3-70b-instruct-v1:0' });

function encode(changes: Partial<CanonicalRequest>, to = target()) {
  const encoded = acceptedOrError(bedrockWire.encodeRequest(plainRequest(changes), to));
  return {
    body: JSON.parse(encoded.body),
    text: encoded.body,
    losses: encoded.losses.map(({ code }) => code),
  };
}

const refusalOf = (changes: Partial<CanonicalRequest>, to = target()) => {
  const encoded = bedrockWire.encodeRequest(plainRequest(changes), to);
  return encoded instanceof Refusal ? [encoded.code, encoded.param] : undefined;
};

const user = (...parts: Part[]): CanonicalRequest['turns'][number] => ({ role: 'user', parts });
const assistant = (...parts: Part[]): CanonicalRequest['turns'][number] => ({ role: 'assistant', parts });
const text = (words: string): Part => ({ kind: 'text', text: words });
const call = (callId: string, input = '{}'): Part => ({
  kind: 'tool-call',
  callId,
  name: 'f',
  input: { kind: 'json', text: input },
});
const result = (callId: string, rest: object = {}): Part => ({
  kind: 'tool-result',
  callId,
  content: [{ kind: 'text', text: callId }],
  ...rest,
});

test('sends only the fields of a plain request', () => {
  expect(encode({}).text).toBe('{"messages":[{"role":"user","content":[{"text":"hi"}]}]}');
  expect(encode({}).losses).toEqual([]);
});

test('builds the path from the method and the model', () => {
  const path = (stream: boolean) => bedrockWire.path(plainRequest({ stream }), nova);
  expect(path(false)).toBe('/model/amazon.nova-pro-v1%3A0/converse');
  expect(path(true)).toBe('/model/amazon.nova-pro-v1%3A0/converse-stream');
});

test('encodes any conversation validly, with all its texts, calls and results', () => {
  for (let seed = 0; seed < 500; seed++) {
    const request = randomRequest(seed, 'bedrock');
    const { body } = encode(request, [target(), nova, llama][seed % 3]);
    const prompt = readBedrockConverse(new Field(body));
    const parts = prompt.turns.flatMap((turn) => turn.parts);
    const asked = request.turns.flatMap((turn) => turn.parts);
    const spoken = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const sent = [...spoken, prompt.system].join('\n');
    for (const part of asked) if (part.kind === 'text') expect(sent).toContain(part.text);
    const calls = asked.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
    expect(parts.flatMap((part) => (part.kind === 'tool-call' ? [[part.name, part.input]] : []))).toEqual(
      calls.map(({ name, input }) => [name, JSON.stringify(JSON.parse(input.text || '{}'))]),
    );
    const ids = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []));
    expect(parts.flatMap((part) => (part.kind === 'tool-result' ? [part.id] : []))).toEqual(ids);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
    expect(prompt.stops).toEqual(request.sampling.stopSequences ?? []);
    expect(prompt.maxTokens).toBe(request.maxOutputTokens);
    const names = parts.flatMap((part) => (part.kind === 'document' ? [part.name] : []));
    expect(new Set(names).size).toBe(names.length);
  }
});

test('returns the answers of its own vendor unchanged', () => {
  const content = [
    { reasoningContent: { reasoningText: { text: 'hm', signature: 'AA==' } } },
    { reasoningContent: { reasoningText: { text: '', signature: 'BB==' } } },
    { reasoningContent: { redactedContent: 'Q0M=' } },
    { text: 'Hi' },
    { newKind: { a: 1 } },
    { toolUse: { toolUseId: 'tooluse_1', name: 'f', input: { n: 1 } } },
  ];
  const decode = bedrockWire.streamDecoder();
  const answer = JSON.stringify({ output: { message: { content } }, stopReason: 'tool_use' });
  const response = acceptedOrError(collect(bedrockWire.splitAnswer(answer).flatMap(decode)));
  const { body, losses } = encode({ turns: [user(text('a')), assistant(...response.parts)] });
  expect(body.messages[1].content).toEqual(content);
  expect(losses).toEqual([]);
});

describe('messages', () => {
  test('joins turns of one role with the results of calls first', () => {
    const { body } = encode({
      turns: [
        user(text('a')),
        assistant(text(' ')),
        user(text('b')),
        assistant(call('x'), call('y')),
        user(text('so'), result('y', { isError: true })),
        user(result('x', { content: [] })),
      ],
    });
    expect(body.messages).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'x', name: 'f', input: {} } },
          { toolUse: { toolUseId: 'y', name: 'f', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'x', content: [{ text: '(empty)' }] } },
          { toolResult: { toolUseId: 'y', content: [{ text: 'y' }], status: 'error' } },
          { text: 'so' },
        ],
      },
    ]);
    expect(body.toolConfig.tools).toEqual([
      { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } } } },
    ]);
  });

  test('begins with a user turn, which a lone system prompt becomes', () => {
    expect(encode({ turns: [assistant(text('Hi'))] }).body.messages[0].role).toBe('user');
    const { body } = encode({ system: [{ kind: 'text', text: 'S' }], turns: [] });
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'S' }] }] });
  });

  test('puts cache points after the marked content, if the model supports them', () => {
    const changes: Partial<CanonicalRequest> = {
      system: [{ kind: 'text', text: 'S', cache: { ttl: '1h' } }],
      turns: [
        user({ kind: 'text', text: 'a', cache: { ttl: '5m' } }),
        assistant(call('x')),
        user(result('x', { content: [{ kind: 'text', text: 'r', cache: {} }] })),
      ],
      tools: [{ kind: 'function', name: 'f', cache: {} }],
    };
    const point = { cachePoint: { type: 'default' } };
    const { body, losses } = encode(changes);
    expect(body.system).toEqual([{ text: 'S' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(body.messages[0].content).toEqual([{ text: 'a' }, point]);
    expect(body.messages[2].content).toEqual([
      { toolResult: { toolUseId: 'x', content: [{ text: 'r' }] } },
      point,
    ]);
    expect(body.toolConfig.tools[1]).toEqual(point);
    expect(losses).toEqual([]);
    expect(encode(changes, nova).body.toolConfig.tools).toHaveLength(1);
    expect(encode(changes, llama).text).not.toContain('cachePoint');
    expect(encode(changes, llama).losses).toEqual(['cache-breakpoint']);
  });

  test('sends media as bytes with valid, unique names', () => {
    const pdf = (filename: string): Part => ({
      kind: 'document',
      source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA==' },
      filename,
    });
    const { body } = encode({
      turns: [user(pdf('a_b.pdf'), pdf('a  b/pdf'), { ...pdf('x'), context: 'c', citable: true } as Part)],
    });
    const documents = body.messages[0].content.map(
      ({ document }: { document?: { name: string } }) => document,
    );
    expect(documents.slice(0, 3)).toEqual([
      { format: 'pdf', source: { bytes: 'AA==' }, name: 'a b pdf' },
      { format: 'pdf', source: { bytes: 'AA==' }, name: 'a b pdf (2)' },
      { format: 'pdf', source: { bytes: 'AA==' }, name: 'x', context: 'c', citations: { enabled: true } },
    ]);
    expect(body.messages[0].content[3]).toEqual({ text: 'a b pdf' }); // the wire requires a text
  });

  test('accepts only text documents and images in S3', () => {
    const image = (url: string): Partial<CanonicalRequest> => ({
      turns: [user({ kind: 'image', source: { kind: 'url', url } }, text('a'))],
    });
    expect(encode(image('s3://bucket/a.png')).body.messages[0].content[0]).toEqual({
      image: { format: 'png', source: { s3Location: { uri: 's3://bucket/a.png' } } },
    });
    const words: Part = { kind: 'document', source: { kind: 'text', text: 'hé' }, title: 'T' };
    expect(encode({ turns: [user(words, text('a'))] }).body.messages[0].content[0]).toEqual({
      document: { format: 'txt', source: { bytes: 'aMOp' }, name: 'T' },
    });
    expect(refusalOf(image('https://a.example/a.png'))).toEqual(['invalid_request', null]);
    const tiff: Part = { kind: 'image', source: { kind: 'base64', mediaType: 'image/tiff', data: 'AA==' } };
    expect(refusalOf({ turns: [user(tiff)] })?.[0]).toBe('invalid_request');
  });

  test('drops unsigned and foreign thinking and reports the losses', () => {
    const { body, losses } = encode({
      turns: [
        user(text('a')),
        assistant(
          { kind: 'thinking', text: 'hm', form: 'full' },
          { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'x' } },
          text('b'),
        ),
      ],
    });
    expect(body.messages[1].content).toEqual([{ text: 'b' }]);
    expect(losses).toEqual(['thinking-block', 'replay-token']);
  });

  test('replaces an unusable id by the same usable one in call and result', () => {
    const { body } = encode({ turns: [user(text('a')), assistant(call('f.o:0')), user(result('f.o:0'))] });
    const id = body.messages[1].content[0].toolUse.toolUseId;
    expect(id).toMatch(/^tooluse_[0-9a-f]{32}$/);
    expect(body.messages[2].content[0].toolResult.toolUseId).toBe(id);
  });
});

describe('tools and formats', () => {
  const schema = new RawJson('{ "type":"object", "b":1.0, "a":{} }');
  const tools: CanonicalRequest['tools'] = [
    { kind: 'function', name: 'f', description: 'd', inputSchema: schema },
  ];

  test('sends schemas of tools as written and those of formats as text', () => {
    const encoded = encode({ tools, format: { kind: 'json-schema', name: 'n', schema, strict: true } });
    expect(encoded.text).toContain(`"inputSchema":{"json":${schema.text}}`);
    expect(encoded.body.outputConfig.textFormat).toEqual({
      type: 'json_schema',
      structure: { jsonSchema: { schema: schema.text, name: 'n' } },
    });
    expect(encode({ format: { kind: 'json-object' } }).losses).toEqual(['output-format']);
  });

  test.each([
    [{ kind: 'auto' }, { auto: {} }],
    [{ kind: 'any' }, { any: {} }],
    [{ kind: 'named', name: 'f' }, { tool: { name: 'f' } }],
  ] as const)('encodes the tool choice %j as %j', (toolChoice, choice) => {
    expect(encode({ tools, toolChoice }).body.toolConfig.toolChoice).toEqual(choice);
  });

  test('sends no tools if none may be called, unless the conversation has calls', () => {
    const toolChoice = { kind: 'none' } as const;
    expect(encode({ tools, toolChoice }).body.toolConfig).toBeUndefined();
    const turns = [user(text('a')), assistant(call('x')), user(result('x'))];
    const { body, losses } = encode({ tools, toolChoice, turns });
    expect(body.toolConfig).toEqual({ tools: [expect.anything()] });
    expect(losses).toEqual(['tool-choice']);
  });

  test('refuses unsupported hard requirements and names their field', () => {
    expect(refusalOf({ choices: 2 })).toEqual(['route_not_qualified', 'n']);
    expect(refusalOf({ logprobs: {} })).toEqual(['route_not_qualified', 'logprobs']);
    expect(refusalOf({ toolChoice: { kind: 'any' } })).toEqual(['route_not_qualified', 'tool_choice']);
    expect(refusalOf({ tools, toolChoice: { kind: 'named', name: 'x' } })?.[1]).toBe('tool_choice');
  });
});

describe('sampling', () => {
  test('reports a loss if the maker has no field', () => {
    const sampling = {
      temperature: 1.5,
      topP: 0.9,
      topK: 5,
      seed: 1,
      frequencyPenalty: 1,
      stopSequences: ['X'],
    };
    const claude = encode({ sampling, maxOutputTokens: 9_000 }, target({ maxOutput: 4_096 }));
    expect(claude.body.inferenceConfig).toEqual({
      maxTokens: 4_096,
      temperature: 1,
      topP: 0.9,
      stopSequences: ['X'],
    });
    expect(claude.body.additionalModelRequestFields).toEqual({ top_k: 5 });
    expect(claude.body.additionalModelResponseFieldPaths).toEqual(['/stop_sequence', '/delta/stop_sequence']);
    expect(claude.losses).toEqual(['seed', 'penalty', 'sampling'] as never);
    expect(encode({ sampling: { topK: 5 } }, nova).body.additionalModelRequestFields).toEqual({
      inferenceConfig: { topK: 5 },
    });
    expect(encode({ sampling: { topK: 5 } }, llama).losses).toEqual(['top-k']);
  });

  test('is dropped for thinking models of Anthropic', () => {
    const thinking: Thinking = {
      mode: 'enabled',
      budgetTokens: 2_000,
      effortIsRequired: false,
      visible: true,
    };
    const { body, losses } = encode({ sampling: { temperature: 0.2, topP: 0.5, topK: 5 }, thinking });
    expect(body.inferenceConfig).toBeUndefined();
    expect(body.additionalModelRequestFields).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    });
    expect(losses.sort()).toEqual(['sampling', 'top-k']);
    expect(encode({ sampling: { temperature: 1 }, thinking }).losses).toEqual([]);
  });
});

test('a partial answer ends without white space, even before a cache point', () => {
  const answer = (cache?: object) => [
    { role: 'user' as const, parts: [{ kind: 'text' as const, text: 'Hi ' }] },
    {
      role: 'assistant' as const,
      parts: [{ kind: 'text' as const, text: 'Well, ', ...(cache && { cache }) }],
    },
  ];
  expect(encode({ turns: answer() }).body.messages).toEqual([
    { role: 'user', content: [{ text: 'Hi ' }] },
    { role: 'assistant', content: [{ text: 'Well,' }] },
  ]);
  const cached = encode({ turns: answer({}) }).body.messages;
  expect(cached[1].content[0]).toEqual({ text: 'Well,' });
});

describe('thinking', () => {
  const ask = (thinking: object, to = target(), rest: Partial<CanonicalRequest> = {}) => {
    const wish = { mode: 'default', effortIsRequired: false, visible: true, ...thinking } as Thinking;
    const { body, losses } = encode({ thinking: wish, ...rest }, to);
    return [body.additionalModelRequestFields, losses];
  };
  const opus46 = target({ upstreamModel: 'us.anthropic.claude-opus-4-6-v1' });
  const opus48 = target({ upstreamModel: 'us.anthropic.claude-opus-4-8-v1:0' });
  const oss = target({ upstreamModel: 'openai.gpt-oss-120b-1:0' });
  const enabled = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } });

  test.each([
    [{ mode: 'enabled', budgetTokens: 3_000 }, target(), enabled(3_000)],
    [{ mode: 'enabled' }, target(), enabled(8_192)],
    [{ effort: 'high' }, target(), enabled(24_576)],
    [{ mode: 'disabled' }, target(), { thinking: { type: 'disabled' } }],
    [{ mode: 'adaptive' }, target(), enabled(8_192)],
    [{ mode: 'adaptive' }, opus46, { thinking: { type: 'adaptive' } }],
    [{}, target(), undefined],
    [{ display: 'auto' }, target(), enabled(8_192)],
    [{ display: 'auto' }, opus46, { thinking: { type: 'adaptive' } }],
    [{ mode: 'enabled', budgetTokens: 3_000 }, opus46, enabled(3_000)],
    [{ effort: 'low' }, opus46, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    [{ mode: 'enabled' }, opus48, { thinking: { type: 'adaptive' } }],
    [{}, nova, undefined],
    [{ display: 'auto' }, nova, { reasoningConfig: { type: 'enabled' } }],
    [{ effort: 'high' }, nova, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } }],
    [{ effort: 'medium' }, oss, { reasoning_effort: 'medium' }],
    [{ mode: 'enabled', budgetTokens: 900 }, oss, { reasoning_effort: 'low' }],
  ])('encodes %j on %j as %j', (thinking, to, fields) => {
    expect(ask(thinking, to)).toEqual([fields, []] as never);
  });

  test('leaves room for the answer, or drops thinking', () => {
    const budget = { mode: 'enabled', budgetTokens: 4_000 };
    expect(ask(budget, target(), { maxOutputTokens: 4_000 })).toEqual([enabled(3_999), ['thinking-budget']]);
    expect(ask(budget, target(), { maxOutputTokens: 1_000 })).toEqual([undefined, ['thinking-budget']]);
    expect(ask(budget, opus48)).toEqual([{ thinking: { type: 'adaptive' } }, ['thinking-budget']]);
  });

  test('drops thinking for forced calls and for calls that began without it', () => {
    const tools: CanonicalRequest['tools'] = [{ kind: 'function', name: 'f' }];
    const thinking = { mode: 'enabled', budgetTokens: 3_000 };
    expect(ask(thinking, target(), { tools, toolChoice: { kind: 'any' } })).toEqual([
      undefined,
      ['thinking-budget'],
    ]);
    const signed: Part = {
      kind: 'thinking',
      text: 'hm',
      form: 'full',
      replay: { issuer: 'bedrock', data: 'AA==' },
    };
    const amid = (...before: Part[]) => ({
      tools,
      turns: [user(text('a')), assistant(...before, call('x')), user(result('x'))],
    });
    expect(ask(thinking, target(), amid())).toEqual([undefined, ['thinking-budget']]);
    expect(ask(thinking, target(), amid(signed))).toEqual([enabled(3_000), []]);
    expect(ask({ mode: 'adaptive' }, opus48, amid())).toEqual([{ thinking: { type: 'adaptive' } }, []]);
  });

  test('refuses a required effort that the model does not list', () => {
    const thinking: Thinking = { mode: 'default', effort: 'xhigh', effortIsRequired: true, visible: false };
    expect(refusalOf({ thinking })).toEqual(['route_not_qualified', 'reasoning_effort']);
  });
});
