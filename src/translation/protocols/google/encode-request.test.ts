import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { Field } from '../../../simulator/model/field.ts';
import { readGoogleGenerate } from '../../../simulator/wires/read-google-generate.ts';
import { collect } from '../../canonical/collect.ts';
import type { Part } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Thinking } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { randomRequest } from '../testing/random-request.ts';
import { googleWire } from './google-wire.ts';
import { tokenOf } from './thought-signature.ts';

const target = (changes: Partial<EncodeTarget> = {}): EncodeTarget => ({
  upstreamModel: 'gemini-2.5-flash',
  reasoning: true,
  reasoningEfforts: ['low', 'medium', 'high'],
  ...changes,
});

function encode(changes: Partial<CanonicalRequest>, to = target()) {
  const encoded = acceptedOrError(googleWire.encodeRequest(plainRequest(changes), to));
  return {
    body: JSON.parse(encoded.body),
    text: encoded.body,
    losses: encoded.losses.map(({ code }) => code),
  };
}

const refusalOf = (changes: Partial<CanonicalRequest>, to = target()) => {
  const encoded = googleWire.encodeRequest(plainRequest(changes), to);
  return encoded instanceof Refusal ? [encoded.code, encoded.param] : undefined;
};

const partsOf = (parts: Part[], to = target()) =>
  encode({ turns: [{ role: 'assistant', parts }] }, to).body.contents.at(-1).parts;

test('sends only the fields of a plain request', () => {
  expect(encode({}).text).toBe('{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
  expect(encode({}).losses).toEqual([]);
});

test('builds the path from the method and the model', () => {
  const path = (upstreamModel: string, asked: { stream: boolean }) =>
    googleWire.path(plainRequest(asked), target({ upstreamModel }));
  expect(path('gemini-2.5-pro', { stream: false })).toBe('/models/gemini-2.5-pro:generateContent');
  expect(path('a/b', { stream: true })).toBe('/models/a%2Fb:streamGenerateContent?alt=sse');
  expect(path('tunedModels/x', { stream: false })).toBe('/tunedModels/x:generateContent');
});

test('encodes any conversation validly, with all its texts, calls and results', () => {
  for (let seed = 0; seed < 500; seed++) {
    const request = randomRequest(seed, 'google');
    const { body } = encode(
      request,
      target({ upstreamModel: seed % 2 === 0 ? 'gemini-2.5-pro' : 'gemini-3-pro' }),
    );
    const prompt = readGoogleGenerate(new Field(body));
    const parts = prompt.turns.flatMap((turn) => turn.parts);
    const asked = request.turns.flatMap(({ parts }) => parts);
    const texts = (kind: string) =>
      asked.flatMap((part) => (part.kind === kind && 'text' in part ? [part.text] : []));
    const spoken = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const sent = [...spoken, prompt.system].join('\n');
    for (const text of texts('text')) expect(sent).toContain(text);
    const calls = asked.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
    expect(parts.flatMap((part) => (part.kind === 'tool-call' ? [[part.name, part.input]] : []))).toEqual(
      calls.map(({ name, input }) => [name, JSON.stringify(JSON.parse(input.text || '{}'))]),
    );
    const results = parts.flatMap((part) => (part.kind === 'tool-result' ? [part.hasFailed] : []));
    const failed = new Map(
      asked.flatMap((part) => (part.kind === 'tool-result' ? [[part.callId, part.isError === true]] : [])),
    );
    expect(results).toEqual(calls.map(({ callId }) => failed.get(callId)!));
    expect(prompt.toolChoice).toEqual(
      request.tools.length > 0 ? (request.toolChoice ?? { kind: 'auto' }) : { kind: 'auto' },
    );
    expect(prompt.stops).toEqual(request.sampling.stopSequences ?? []);
    expect(prompt.maxTokens).toBe(request.maxOutputTokens);
  }
});

test('returns the answers of its own vendor unchanged, each signature on its kind of part', () => {
  const parts = [
    { text: 'hm', thought: true, thoughtSignature: 'AA==' },
    { text: 'Hi', thoughtSignature: 'BB==' },
    { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'EE==' },
    { functionCall: { id: 'x9', name: 'f', args: { n: 1 } }, thoughtSignature: 'CC==' },
    { functionCall: { id: 'y9', name: 'g', args: {} } },
    { text: 'Bye' },
    { text: '', thoughtSignature: 'DD==' },
  ];
  const chunk = {
    candidates: [{ content: { parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1 },
  };
  const decode = googleWire.streamDecoder();
  const response = acceptedOrError(collect(googleWire.splitAnswer(JSON.stringify(chunk)).flatMap(decode)));
  expect(partsOf(response.parts)).toEqual([...parts.slice(0, 5), { text: 'Bye', thoughtSignature: 'DD==' }]);
});

describe('parts', () => {
  const call = (callId: string, rest: object = {}): Part => ({
    kind: 'tool-call',
    callId,
    name: 'f',
    input: { kind: 'json', text: '{"n":1.0}' },
    ...rest,
  });

  test('moves a signature from a thought to its call', () => {
    const replay = tokenOf('call', 'CC==');
    expect(partsOf([{ kind: 'redacted-thinking', replay }, call('call_1'), call('call_2')])).toEqual([
      { functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: 'CC==' },
      { functionCall: { name: 'f', args: { n: 1 } } },
    ]);
  });

  test('sends the documented placeholder for the first unsigned call of a turn to Gemini 3 only', () => {
    const signatures = (upstreamModel: string) =>
      partsOf([call('call_1'), call('call_2')], target({ upstreamModel })).map(
        ({ thoughtSignature }: { thoughtSignature?: string }) => thoughtSignature,
      );
    expect(signatures('gemini-3-pro-preview')).toEqual(['skip_thought_signature_validator', undefined]);
    expect(signatures('gemini-2.5-pro')).toEqual([undefined, undefined]);
  });

  test('keeps argument texts, wraps other values in an object, and returns only its own ids', () => {
    const { text } = encode({
      turns: [
        {
          role: 'assistant',
          parts: [call('k2x8'), call('toolu_1', { input: { kind: 'json', text: '{oops' } })],
        },
      ],
    });
    expect(text).toContain('{"id":"k2x8","name":"f","args":{"n":1.0}}');
    expect(text).toContain('{"functionCall":{"name":"f","args":{"input":"{oops"}}}');
  });

  test('puts results first in the order of the calls, with function name, media and errors', () => {
    const result = (callId: string, rest: object = {}): Part => ({
      kind: 'tool-result',
      callId,
      content: [{ kind: 'text', text: callId }],
      ...rest,
    });
    const image: Part = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } };
    const turns: CanonicalRequest['turns'] = [
      { role: 'assistant', parts: [call('a'), call('b')] },
      { role: 'user', parts: [{ kind: 'text', text: 'so' }, result('b', { isError: true })] },
      { role: 'user', parts: [result('a', { content: [image] })] },
    ];
    const [first, second, third] = encode({ turns }).body.contents.at(-1).parts;
    expect(first).toEqual({ functionResponse: { id: 'a', name: 'f', response: { output: '' } } });
    expect(second).toEqual({ functionResponse: { id: 'b', name: 'f', response: { error: 'b' } } });
    expect(third).toEqual({ text: 'so' });
    expect(encode({ turns }).losses).toEqual(['tool-result-media']);
    const gemini3 = encode({ turns }, target({ upstreamModel: 'gemini-3-flash' }));
    expect(gemini3.body.contents.at(-1).parts[0].functionResponse.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
    ]);
    expect(gemini3.losses).toEqual([]);
  });

  test('sends media inline or by address, but not by file ids of other vendors', () => {
    const user = (part: Part) => ({ turns: [{ role: 'user' as const, parts: [part] }] });
    const url = 'https://a.example/b.PDF?x=1';
    expect(encode(user({ kind: 'document', source: { kind: 'url', url } })).body.contents[0].parts).toEqual([
      { fileData: { mimeType: 'application/pdf', fileUri: url } },
    ]);
    expect(
      encode(user({ kind: 'document', source: { kind: 'text', text: 'hé' } })).body.contents[0].parts,
    ).toEqual([{ inlineData: { mimeType: 'text/plain', data: 'aMOp' } }]);
    expect(refusalOf(user({ kind: 'image', source: { kind: 'file', fileId: 'file-123' } }))).toEqual([
      'invalid_request',
      null,
    ]);
  });

  test('drops foreign thinking, tokens, blocks, tools and cache marks and reports the losses', () => {
    const { body, losses } = encode({
      system: [{ kind: 'text', text: 'S', cache: {} }],
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'thinking', text: 'hm', form: 'full', replay: { issuer: 'messages', data: 'x' } },
            { kind: 'opaque', issuer: 'messages', block: {} },
          ],
        },
        { role: 'system', parts: [{ kind: 'text', text: 'Later' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Go' }] },
      ],
      tools: [{ kind: 'opaque', issuer: 'messages', tool: new RawJson('{"type":"web_search"}') }],
      sampling: { stopSequences: ['1', '2', '3', '4', '5', '6'], seed: 2 ** 40 },
      hints: { user: 'u', serviceTier: 'flex' },
    });
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'S' }, { text: 'Later' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: 'Go' }] }],
      generationConfig: { stopSequences: ['1', '2', '3', '4', '5'] },
    });
    expect(losses.sort()).toEqual(
      [
        'cache-breakpoint',
        'opaque-block',
        'opaque-tool',
        'replay-token',
        'seed',
        'service-tier',
        'system-position',
        'thinking-block',
        'user-hint',
      ].sort() as never,
    );
  });

  test('sends a lone system prompt as a user turn', () => {
    const { body } = encode({ system: [{ kind: 'text', text: 'S' }], turns: [] });
    expect(body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'S' }] }] });
  });
});

describe('tools and formats', () => {
  const schema = new RawJson('{ "type":"object", "b":1.0, "a":{} }');

  test('sends schemas as written', () => {
    const { text } = encode({
      tools: [
        { kind: 'function', name: 'f', description: 'd', inputSchema: schema },
        { kind: 'function', name: 'g' },
      ],
      format: { kind: 'json-schema', schema, strict: true },
    });
    expect(text).toContain(`"parametersJsonSchema":${schema.text}}`);
    expect(text).toContain(`"responseMimeType":"application/json","responseJsonSchema":${schema.text}`);
    expect(text).toContain('{"name":"g"}');
  });

  test.each([
    [{ kind: 'auto' }, { mode: 'AUTO' }],
    [{ kind: 'none' }, { mode: 'NONE' }],
    [{ kind: 'any' }, { mode: 'ANY' }],
    [
      { kind: 'named', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ] as const)('encodes the tool choice %j as %j', (toolChoice, functionCallingConfig) => {
    const tools = [{ kind: 'function', name: 'f' }] as const;
    expect(encode({ tools: [...tools], toolChoice }).body.toolConfig).toEqual({ functionCallingConfig });
  });

  test('gives grouped and freeform tools flat names and JSON inputs', () => {
    const { body, losses } = encode({
      tools: [
        { kind: 'function', name: 'find', namespace: 'crm' },
        { kind: 'freeform', name: 'patch' },
      ],
    });
    expect(body.tools[0].functionDeclarations.map(({ name }: { name: string }) => name)).toEqual([
      'crm__find',
      'patch',
    ]);
    expect(losses).toEqual(['namespace-flattened', 'freeform-tool']);
  });

  test('refuses unsupported hard requirements and names their field', () => {
    expect(refusalOf({ choices: 2 })).toEqual(['route_not_qualified', 'n']);
    expect(refusalOf({ logprobs: {} })).toEqual(['route_not_qualified', 'logprobs']);
    expect(refusalOf({ toolChoice: { kind: 'any' } })).toEqual(['route_not_qualified', 'tool_choice']);
    expect(refusalOf({ toolChoice: { kind: 'named', name: 'x' } })).toEqual([
      'route_not_qualified',
      'tool_choice',
    ]);
  });

  test('lowers the token limit to the maximum of the model', () => {
    const { body } = encode({ maxOutputTokens: 9_000 }, target({ maxOutput: 8_192 }));
    expect(body.generationConfig).toEqual({ maxOutputTokens: 8_192 });
  });
});

describe('thinking', () => {
  const ask = (thinking: Partial<Thinking>, to: Partial<EncodeTarget> = {}) => {
    const request = {
      thinking: { mode: 'default', effortIsRequired: false, visible: false, ...thinking } as Thinking,
    };
    const { body, losses } = encode(request, target(to));
    return [body.generationConfig?.thinkingConfig, losses];
  };
  const gemini3 = { upstreamModel: 'gemini-3.1-pro-preview' };
  const pro = { upstreamModel: 'gemini-2.5-pro' };

  test.each([
    [
      { mode: 'enabled', budgetTokens: 2_000, visible: true },
      {},
      { includeThoughts: true, thinkingBudget: 2_000 },
    ],
    [{ mode: 'enabled' }, {}, { thinkingBudget: -1 }],
    [{ mode: 'adaptive' }, {}, { thinkingBudget: -1 }],
    [{ mode: 'disabled', visible: true }, {}, { thinkingBudget: 0 }],
    [{ effort: 'high' }, {}, { thinkingBudget: 24_576 }],
    [{ visible: true }, {}, { includeThoughts: true }],
    [{ visible: true, display: 'auto' }, {}, { includeThoughts: true, thinkingBudget: -1 }],
    [{ visible: true, display: 'auto' }, gemini3, { includeThoughts: true }],
    [{ effort: 'high', visible: true }, gemini3, { includeThoughts: true, thinkingLevel: 'high' }],
    [{ mode: 'enabled', budgetTokens: 5_000 }, gemini3, { thinkingBudget: 5_000 }],
    [{ mode: 'enabled' }, gemini3, undefined],
  ] as const)('encodes %j on %j as %j', (thinking, to, config) => {
    expect(ask(thinking, to)).toEqual([config, []]);
  });

  test.each([
    [{ mode: 'disabled' }, pro, { thinkingBudget: 128 }, 'thinking-budget'],
    [{ mode: 'disabled' }, gemini3, { thinkingLevel: 'low' }, 'thinking-budget'],
    [{ mode: 'enabled', budgetTokens: 50_000 }, {}, { thinkingBudget: 24_576 }, 'thinking-budget'],
    [{ effort: 'max' }, gemini3, { thinkingLevel: 'high' }, 'effort-lowered'],
    [{ effort: 'minimal' }, gemini3, { thinkingLevel: 'low' }, 'effort-lowered'],
    [{ mode: 'enabled' }, { reasoning: false }, undefined, 'thinking-budget'],
  ] as const)('encodes %j on %j as %j and reports the loss %s', (thinking, to, config, loss) => {
    expect(ask(thinking, to)).toEqual([config, [loss]]);
  });

  test('refuses a required effort that the model does not list', () => {
    const thinking: Thinking = { mode: 'default', effort: 'xhigh', effortIsRequired: true, visible: false };
    expect(refusalOf({ thinking })).toEqual(['route_not_qualified', 'reasoning_effort']);
    const none = target({ reasoning: false, reasoningEfforts: [] });
    expect(refusalOf({ thinking: { ...thinking, effort: 'low' } }, none)?.[0]).toBe('route_not_qualified');
  });
});
