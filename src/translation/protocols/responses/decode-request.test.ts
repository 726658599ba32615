import { expect, test } from 'bun:test';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import { createResponsesDialectCodec } from './responses-dialect-codec.ts';

const codec = createResponsesDialectCodec();

function decodeText(text: string): CanonicalRequest {
  const body = parseBodyAtOnce(text);
  if ('code' in body) throw new Error(body.message);
  const request = codec.decodeRequest(body);
  if ('code' in request) throw new Error(`${request.param}: ${request.message}`);
  return request;
}

const decode = (fields: JsonObject) => decodeText(JSON.stringify({ model: 'm', input: 'hi', ...fields }));

function refusalOf(fields: JsonObject) {
  const body = parseBodyAtOnce(JSON.stringify({ model: 'm', input: 'hi', ...fields }));
  if ('code' in body) throw new Error(body.message);
  const request = codec.decodeRequest(body);
  if (!('code' in request)) throw new Error('accepted');
  return request;
}

const item = (fields: JsonObject) =>
  decode({ input: [{ type: 'message', role: 'user', content: 'x' }, fields] });
const parts = (fields: JsonObject) => decode({ input: [fields] }).turns[0]?.parts;

test('decodes a string as one user turn [RSP-11]', () => {
  expect(decode({})).toEqual(
    plainRequest({ turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }] }),
  );
});

test('decodes leading system messages as the system prompt and later ones as turns', () => {
  const { system, turns } = decode({
    instructions: 'a',
    input: [
      { role: 'developer', content: 'b' },
      { role: 'system', content: [{ type: 'input_text', text: 'c' }] },
      { role: 'user', content: 'd' },
      { role: 'developer', content: 'e' },
      { role: 'assistant', content: null },
      { type: null, role: 'user', content: 'f' },
    ],
  });
  expect(system.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(turns).toEqual([
    { role: 'user', parts: [{ kind: 'text', text: 'd' }] },
    { role: 'system', parts: [{ kind: 'text', text: 'e' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'f' }] },
  ]);
});

test('decodes a loop of reasoning, calls and outputs as two turns', () => {
  const { turns } = decode({
    input: [
      { role: 'user', content: 'q' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'sealed',
      },
      { type: 'reasoning', id: 'rs_2', summary: [] },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 't', annotations: [] },
          { type: 'refusal', refusal: 'r' },
        ],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'a',
        name: 'find',
        namespace: 'crm',
        arguments: '{"n": 1}',
      },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '***' },
      { type: 'function_call_output', call_id: 'a', output: 'found', status: 'completed', id: null },
      {
        type: 'custom_tool_call_output',
        call_id: 'b',
        output: [
          { type: 'input_text', text: 'ok' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
    ],
  });
  expect(turns.slice(1)).toEqual([
    {
      role: 'assistant',
      parts: [
        {
          kind: 'thinking',
          form: 'summary',
          text: 'hm',
          replay: { issuer: 'responses', itemId: 'rs_1', data: 'sealed' },
        },
        { kind: 'text', text: 't' },
        { kind: 'refusal', text: 'r' },
        {
          kind: 'tool-call',
          callId: 'a',
          itemId: 'fc_1',
          name: 'find',
          namespace: 'crm',
          input: { kind: 'json', text: '{"n": 1}' },
        },
        { kind: 'tool-call', callId: 'b', name: 'patch', input: { kind: 'freeform', text: '***' } },
      ],
    },
    {
      role: 'user',
      parts: [
        { kind: 'tool-result', callId: 'a', content: [{ kind: 'text', text: 'found' }] },
        {
          kind: 'tool-result',
          callId: 'b',
          isFreeform: true,
          content: [
            { kind: 'text', text: 'ok' },
            { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
          ],
        },
      ],
    },
  ]);
});

test('decodes the sources of images, files and audio', () => {
  const content = [
    { type: 'input_image', image_url: 'https://a.test/b.png', detail: 'original' },
    { type: 'input_image', file_id: 'file-1', detail: 'auto' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
    { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;charset=utf-8;base64,aMOp' },
    { type: 'input_file', file_data: 'JVBE' },
    { type: 'input_file', file_url: 'https://a.test/b.pdf', file_data: null },
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    { type: 'input_text', text: 't', prompt_cache_breakpoint: { mode: 'explicit' } },
  ];
  expect(parts({ role: 'user', content })).toEqual([
    { kind: 'image', source: { kind: 'url', url: 'https://a.test/b.png' }, detail: 'high' },
    { kind: 'image', source: { kind: 'file', fileId: 'file-1' } },
    {
      kind: 'document',
      source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' },
      filename: 'a.pdf',
    },
    { kind: 'document', source: { kind: 'text', text: 'hé' }, filename: 'a.txt' },
    { kind: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' } },
    { kind: 'document', source: { kind: 'url', url: 'https://a.test/b.pdf' } },
    { kind: 'audio', source: { kind: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
    { kind: 'text', text: 't', cache: {} },
  ]);
});

test('decodes data URLs in every spelling', () => {
  const content = [
    { type: 'input_image', image_url: 'DATA:image/png;BASE64,AAAA' },
    { type: 'input_file', file_data: 'DATA:application/pdf;base64,JVBE' },
    { type: 'input_file', file_data: 'data:text/plain,hello%20you' },
    { type: 'input_file', file_data: 'data:text/plain;charset=iso-8859-1;base64,aOk=' },
    { type: 'input_file', file_data: 'data:;base64,JVBE' },
  ];
  const pdf = { kind: 'base64' as const, mediaType: 'application/pdf', data: 'JVBE' };
  expect(parts({ role: 'user', content })?.map((part) => 'source' in part && part.source)).toEqual([
    { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
    pdf,
    { kind: 'text', text: 'hello you' },
    { kind: 'text', text: 'hé' },
    pdf,
  ]);
});

test('keeps vendor-specific items whole and in place', () => {
  const items = [
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'item_reference', id: 'msg_1' },
    { type: 'compaction_trigger' },
    { type: 'brand_new', deep: { a: [1] } },
  ];
  for (const block of items)
    expect(item(block).turns).toEqual([
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'x' },
          { kind: 'opaque', issuer: 'responses', block },
        ],
      },
    ]);
});

test('keeps tools as sent, key order and numbers included [RSP-21]', () => {
  const schema = '{ "type":"object", "properties":{"z":{"maximum":1.0},"a":{"$ref":"#"}} }';
  const format = '{"type":"grammar", "syntax":"lark","definition":"x"}';
  const { tools } = decodeText(
    `{"model":"m","input":"hi","tools":[{"type":"function","name":"f","description":"d","strict":null,"parameters":${schema}},` +
      `{"type":"custom","name":"patch","format":${format}},{"type":"namespace","name":"crm","description":"x","tools":[` +
      `{"type":"function","name":"find","strict":true,"parameters":${schema}}]}, {"type":"web_search", "n":1.0 }]}`,
  );
  expect(JSON.parse(JSON.stringify(tools))).toEqual([
    { kind: 'function', name: 'f', description: 'd', inputSchema: { text: schema } },
    { kind: 'freeform', name: 'patch', format: { text: format } },
    { kind: 'function', name: 'find', namespace: 'crm', inputSchema: { text: schema }, strict: true },
    { kind: 'opaque', issuer: 'responses', tool: { text: '{"type":"web_search", "n":1.0 }' } },
  ]);
});

const tools = [
  { type: 'function', name: 'f' },
  { type: 'custom', name: 'g' },
  { type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] },
  { type: 'web_search' },
];
const choices: [unknown, object | undefined][] = [
  ['auto', { kind: 'auto' }],
  ['none', { kind: 'none' }],
  ['required', { kind: 'any' }],
  [
    { type: 'function', name: 'f' },
    { kind: 'named', name: 'f' },
  ],
  [
    { type: 'custom', name: 'g' },
    { kind: 'named', name: 'g' },
  ],
  [
    { type: 'function', name: 'find', namespace: 'crm' },
    { kind: 'named', name: 'find', namespace: 'crm' },
  ],
  [{ type: 'web_search' }, { kind: 'named', name: 'web_search' }],
  [null, undefined],
];
for (const [tool_choice, expected] of choices) {
  test(`decodes the tool choice ${JSON.stringify(tool_choice)}`, () =>
    expect<unknown>(decode({ tools, tool_choice }).toolChoice).toEqual(expected));
}

test('drops the tools that an allowed_tools choice excludes', () => {
  const tool_choice = {
    type: 'allowed_tools',
    mode: 'required',
    tools: [{ type: 'function', name: 'find' }, { type: 'web_search' }],
  };
  const request = decode({ tools, tool_choice });
  expect(request.toolChoice).toEqual({ kind: 'any' });
  expect(request.tools).toMatchObject([{ name: 'find', namespace: 'crm' }, { kind: 'opaque' }]);
});

test('decodes options to their canonical names', () => {
  const request = decode({
    stream: true,
    max_output_tokens: 7,
    temperature: 0.5,
    top_p: 0.25,
    parallel_tool_calls: false,
    top_logprobs: 3,
    reasoning: { effort: 'high', summary: 'concise' },
    text: {
      format: { type: 'json_schema', name: 'n', strict: true, schema: { b: 1, a: 2 } },
      verbosity: 'low',
    },
    prompt_cache_key: 'k',
    user: 'u',
    service_tier: 'flex',
    truncation: 'auto',
  });
  expect(request).toMatchObject({
    stream: true,
    maxOutputTokens: 7,
    parallelToolCalls: false,
    sampling: { temperature: 0.5, topP: 0.25 },
    logprobs: { top: 3 },
    thinking: { mode: 'default', effort: 'high', effortIsRequired: true, visible: true, display: 'concise' },
    format: { kind: 'json-schema', name: 'n', strict: true, schema: { text: '{"b":1,"a":2}' } },
    hints: { cacheKey: 'k', wantsCache: true, user: 'u', serviceTier: 'flex' },
    verbosity: 'low',
    opaque: [{ issuer: 'responses', block: { truncation: 'auto' } }],
  });
});

test('uses the end user as a cache key [RSP-29]', () => {
  expect(decode({ safety_identifier: 's', user: 'u' }).hints).toEqual({ cacheKey: 's', user: 's' });
  expect(decode({ user: 'u' }).hints).toEqual({ cacheKey: 'u', user: 'u' });
});

test('shows reasoning if the request has reasoning options, unless the effort is none', () => {
  expect(decode({ reasoning: {} }).thinking).toEqual({
    mode: 'default',
    effortIsRequired: true,
    visible: true,
  });
  expect(decode({ reasoning: { effort: 'none' } }).thinking).toMatchObject({ mode: 'disabled' });
  expect(decode({ reasoning: null }).thinking).toBeUndefined();
});

test('accepts the additional fields of real clients [RSP-33]', () => {
  const nulls = Object.fromEntries(
    'instructions stream store previous_response_id max_output_tokens temperature top_p top_logprobs tools tool_choice parallel_tool_calls text reasoning include truncation service_tier prompt_cache_key safety_identifier user metadata background background_options conversation prompt'
      .split(' ')
      .map((name) => [name, null]),
  );
  expect(decode(nulls)).toEqual(decode({}));
  expect(decode({ text: {}, include: [], tools: [], unknown: 1 })).toEqual(decode({}));
});

const wrong: [fields: JsonObject, param: string][] = [
  [{ model: undefined }, 'model'],
  [{ input: undefined }, 'input'],
  [{ input: [] }, 'input'],
  [{ input: 7 }, 'input'],
  [{ input: [{ content: 'x' }] }, 'input[0].role'],
  [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
  [{ input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, 'input[0].content[0].type'],
  [{ input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, 'input[0].content[0].text'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0].image_url'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://x' }] }] },
    'input[0].content[0].image_url',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', filename: 'x' }] }] },
    'input[0].content[0].file_data',
  ],
  [
    {
      input: [
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x', format: 'ogg' } }] },
      ],
    },
    'input[0].content[0].input_audio.format',
  ],
  [{ input: [{ type: 'function_call', call_id: 'a', arguments: '{}' }] }, 'input[0].name'],
  [{ input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: {} }] }, 'input[0].arguments'],
  [{ input: [{ type: 'custom_tool_call_output', output: 'x' }] }, 'input[0].call_id'],
  [
    { input: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image' }] }] },
    'input[0].output[0].image_url',
  ],
  [{ input: [{ type: 'reasoning', encrypted_content: 5 }] }, 'input[0].encrypted_content'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
  [{ tools: [{ type: 'function', name: 'a b' }] }, 'tools[0].name'],
  [
    { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 5 }] }] },
    'tools[0].tools[0].name',
  ],
  [{ tool_choice: 'any' }, 'tool_choice'],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ tools, tool_choice: { type: 'function', name: 'x' } }, 'tool_choice.name'],
  [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
  [{ text: { format: { type: null } } }, 'text.format.type'],
  [{ reasoning: { effort: 3 } }, 'reasoning.effort'],
  [{ temperature: 3 }, 'temperature'],
  [{ max_output_tokens: 0 }, 'max_output_tokens'],
  [{ stream: 'yes' }, 'stream'],
];
for (const [fields, param] of wrong) {
  test(`names ${param} in ${JSON.stringify(fields).slice(0, 90)}`, () => {
    const refusal = refusalOf(fields);
    expect<string>(refusal.code).toBe('invalid_request');
    expect(refusal.param).toBe(param);
    expect(refusal.message).toStartWith(param);
  });
}

test('refuses what a background response or a conversation cannot be combined with', () => {
  const both = { conversation: 'conv_1', previous_response_id: 'resp_1' };
  expect(refusalOf(both)).toMatchObject({ code: 'invalid_request', param: 'conversation' });
  for (const fields of [{ conversation: 'conv_1' }, { background: true }])
    expect(refusalOf({ ...fields, store: false })).toMatchObject({ code: 'invalid_request', param: 'store' });
});

test('refuses stored prompts on other wires', () => {
  expect(refusalOf({ prompt: { id: 'p' } })).toMatchObject({ code: 'route_not_qualified', param: 'prompt' });
});

test('keeps a tool whose type is the name of a property of all objects', () => {
  for (const type of ['__proto__', 'constructor', 'toString'])
    expect(decodeText(`{"model":"m","input":"hi","tools":[{"type":"${type}"}]}`).tools).toMatchObject([
      { kind: 'opaque' },
    ]);
});
