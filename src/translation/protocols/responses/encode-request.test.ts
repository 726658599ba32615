import { expect, test } from 'bun:test';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { Part } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Thinking } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { contractProblems } from '../testing/openai-contract.ts';
import { responsesDialect } from './responses-dialect-codec.ts';
import { responsesWire } from './responses-wire.ts';
import { randomRequest } from './testing/random-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are read field by field.
type Body = any;

const target: EncodeTarget = {
  upstreamModel: 'm',
  reasoning: true,
  reasoningEfforts: ['low', 'medium', 'high'],
};
const plain: EncodeTarget = { upstreamModel: 'm', reasoning: false, reasoningEfforts: [] };
const hi = { role: 'user' as const, parts: [{ kind: 'text' as const, text: 'hi' }] };

function encode(fields: Partial<CanonicalRequest>, to = target): { body: Body; losses: string[] } {
  const encoded = responsesWire.encodeRequest(plainRequest({ stream: true, ...fields }), to);
  if ('code' in encoded) throw new Error(`${encoded.param}: ${encoded.message}`);
  return { body: JSON.parse(encoded.body), losses: encoded.losses.map(({ code }) => code) };
}

function refusalOf(fields: Partial<CanonicalRequest>, to = target) {
  const encoded = responsesWire.encodeRequest(plainRequest({ stream: true, ...fields }), to);
  if (!('code' in encoded)) throw new Error('encoded');
  return encoded;
}

const partsOf = (role: 'user' | 'assistant', parts: Part[], to = target) =>
  encode({ turns: [hi, { role, parts }] }, to);

const itemSchemas: Record<string, string> = {
  message: 'EasyInputMessage',
  function_call: 'FunctionToolCall',
  function_call_output: 'FunctionCallOutputItemParam',
  custom_tool_call: 'CustomToolCall',
  custom_tool_call_output: 'CustomToolCallOutput',
};

test('sends a minimal request with the model, the input and store: false', () => {
  expect(encode({})).toEqual({
    body: {
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      store: false,
      stream: true,
    },
    losses: [],
  });
});

test('decodes an encoded request to the same request', () => {
  for (let seed = 0; seed < 1_500; seed++) {
    const request = randomRequest(seed);
    const encoded = responsesWire.encodeRequest(request, target);
    if ('code' in encoded) throw new Error(`seed ${seed}: ${encoded.message}`);
    const body = parseBodyAtOnce(encoded.body);
    if ('code' in body) throw new Error(body.message);
    const again = responsesDialect.decodeRequest(body);
    expect({ seed, request: again }).toEqual({ seed, request });
    expect(encoded.losses).toEqual([]);
  }
});

test('encodes items and tools in the published shapes', () => {
  for (let seed = 0; seed < 300; seed++) {
    const { input, tools = [] } = encode(randomRequest(seed)).body;
    for (const item of input) {
      const isFull = item.type === 'message' && item.id !== undefined;
      const schema = isFull ? 'OutputMessage' : itemSchemas[item.type];
      // The published shapes do not cover audio and citations without ranges.
      if (schema === undefined || /input_audio|annotations/.test(JSON.stringify(item))) continue;
      expect(contractProblems(schema, item)).toEqual([]);
    }
    for (const tool of tools.filter(({ type }: Body) => type !== 'web_search'))
      expect(contractProblems('Tool', tool)).toEqual([]);
  }
});

test('sends a lone system prompt as the input', () => {
  const { body } = encode({ system: [{ kind: 'text', text: 'say hi' }], turns: [] });
  expect(body.input).toEqual([
    { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'say hi' }] },
  ]);
  expect(body).not.toHaveProperty('instructions');
});

test('keeps the text of parameters and formats', () => {
  const inputSchema = new RawJson('{ "z":1.0, "a":{} }');
  const encoded = responsesWire.encodeRequest(
    plainRequest({ tools: [{ kind: 'function', name: 'f', namespace: 'n', inputSchema }] }),
    target,
  );
  expect('body' in encoded && encoded.body).toContain('"parameters":{ "z":1.0, "a":{} }');
});

test('sends functions without a strict setting as not strict', () => {
  const { body } = encode({ tools: [{ kind: 'function', name: 'f' }] });
  expect(body.tools).toEqual([
    { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
  ]);
});

const thinkings: [name: string, Partial<Thinking>, to: EncodeTarget, expected: object, losses: string[]][] = [
  [
    'an effort',
    { effort: 'low' },
    target,
    { reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] },
    [],
  ],
  ['visible', { visible: true }, target, { reasoning: { summary: 'auto' } }, []],
  [
    'a named kind of summary',
    { visible: true, display: 'detailed' },
    target,
    { reasoning: { summary: 'detailed' } },
    [],
  ],
  [
    'another vendor’s kind of summary',
    { visible: true, display: 'summarized' },
    target,
    { reasoning: { summary: 'auto' } },
    [],
  ],
  [
    'a budget',
    { mode: 'enabled', budgetTokens: 5_000 },
    target,
    { reasoning: { effort: 'medium' } },
    ['thinking-budget'],
  ],
  [
    'a soft effort that the model lacks',
    { effort: 'max' },
    target,
    { reasoning: { effort: 'high' } },
    ['effort-lowered'],
  ],
  [
    'off, on a model that cannot stop thinking',
    { mode: 'disabled' },
    target,
    { reasoning: { effort: 'low' } },
    ['thinking-budget'],
  ],
  [
    'off, on a model that can stop thinking',
    { mode: 'disabled' },
    { ...target, reasoningEfforts: ['none', 'low'] },
    { reasoning: { effort: 'none' } },
    [],
  ],
  [
    'enabled, on a model without reasoning',
    { mode: 'enabled', visible: true },
    plain,
    {},
    ['thinking-budget'],
  ],
];
for (const [name, thinking, to, expected, losses] of thinkings) {
  test(`encodes thinking: ${name}`, () => {
    const encoded = encode(
      { thinking: { mode: 'default', effortIsRequired: false, visible: false, ...thinking } },
      to,
    );
    expect(encoded.body).toMatchObject(expected);
    if (Object.keys(expected).length === 0) expect(encoded.body).not.toHaveProperty('reasoning');
    expect(encoded.losses).toEqual(losses);
  });
}

test('sends no thinking parameter if the request has none', () => {
  expect(Object.keys(encode({}).body)).toEqual(['model', 'input', 'store', 'stream']);
});

test('lowers the token limit to the maximum of the model', () => {
  expect(encode({ maxOutputTokens: 100 }, { ...target, maxOutput: 50 }).body.max_output_tokens).toBe(50);
});

test('returns only reasoning that this protocol encrypted', () => {
  const thought = { kind: 'thinking', form: 'full', text: 'hm' } as const;
  const own = { ...thought, replay: { issuer: 'responses', itemId: 'rs_1', data: 'sealed' } } as const;
  const foreign = { ...thought, replay: { issuer: 'messages', data: 'signature' } } as const;
  const redacted = { kind: 'redacted-thinking', replay: foreign.replay } as const;
  const encoded = partsOf('assistant', [thought, foreign, redacted, own]);
  expect(encoded.body.input.slice(1)).toEqual([
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'hm' }],
      encrypted_content: 'sealed',
    },
  ]);
  expect(encoded.losses).toEqual(['thinking-block', 'replay-token']);
  expect(partsOf('assistant', [own], plain).body.input).toHaveLength(1);
});

test('drops unsupported options and reports each loss', () => {
  const cache = {};
  const { losses } = encode({
    system: [{ kind: 'text', text: 's', cache }],
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'opaque', issuer: 'messages', block: {} },
          { kind: 'tool-result', callId: 'c', content: [], isError: true },
          { kind: 'document', source: { kind: 'text', text: 't' }, title: 'T', context: 'C', citable: true },
        ],
      },
    ],
    tools: [{ kind: 'opaque', issuer: 'google', tool: new RawJson('{}') }],
    sampling: { topK: 1, seed: 1, presencePenalty: 1, stopSequences: ['x'] },
    hints: { serviceTier: 'turbo' },
  });
  expect(losses.sort()).toEqual(
    'cache-breakpoint citation document-context opaque-block opaque-tool penalty seed service-tier tool-error-flag top-k'.split(
      ' ',
    ),
  );
});

const hard: [Partial<CanonicalRequest>, string][] = [
  [{ choices: 2 }, 'n'],
  [{ logprobs: {} }, 'logprobs'],
  [{ toolChoice: { kind: 'named', name: 'x' } }, 'tool_choice'],
  [{ toolChoice: { kind: 'any' } }, 'tool_choice'],
  [
    { thinking: { mode: 'default', effort: 'max', effortIsRequired: true, visible: true } },
    'reasoning_effort',
  ],
];
for (const [fields, param] of hard) {
  test(`refuses the unsupported requirement ${JSON.stringify(fields)}`, () =>
    expect(refusalOf(fields)).toMatchObject({ code: 'route_not_qualified', param }));
}

test('encodes several assistant messages as items with unique ids', () => {
  const { body } = partsOf('assistant', [
    { kind: 'refusal', text: 'a' },
    { kind: 'text', text: 'b' },
    { kind: 'refusal', text: 'c' },
  ]);
  expect(body.input.slice(1)).toMatchObject([{ id: 'msg_0' }, { content: 'b' }, { id: 'msg_1' }]);
});
