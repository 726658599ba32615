import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { packReplay } from '../../encoding/replay-token.ts';
import { decodedValue, decodeValue } from './testing/decode-value.ts';

const user = (content: unknown) => ({ role: 'user', content });
const base = { model: 'm', max_tokens: 10, messages: [user('hi')] };
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const tool = { name: 'f', description: 'F', input_schema: { type: 'object' } };
const withBlock = (block: unknown) => ({
  ...base,
  messages: [user('a'), user([{ type: 'text', text: 'b' }, block])],
});
const partsOf = (content: unknown, role = 'user') =>
  decodedValue({ ...base, messages: [{ role, content }] }).turns[0]?.parts;

const wrong: [param: string, problem: string, body: object][] = [
  ['model', 'is required', { max_tokens: 1, messages: [user('a')] }],
  ['max_tokens', 'is required', { model: 'm', messages: [user('a')] }],
  ['messages', 'is required', { model: 'm', max_tokens: 1 }],
  ['messages', 'must not be empty', { ...base, messages: [] }],
  ['max_tokens', 'must be an integer, not 1.5', { ...base, max_tokens: 1.5 }],
  ['temperature', 'must be a number or null, not a string', { ...base, temperature: 'hot' }],
  ['temperature', 'must be at most 1, not 1.5', { ...base, temperature: 1.5 }],
  [
    'messages[0].role',
    "must be one of user, assistant, system, developer, not 'bot'",
    { ...base, messages: [{ role: 'bot', content: 'a' }] },
  ],
  ['messages[1].content[1].text', 'is required', withBlock({ type: 'text' })],
  [
    'messages[1].content[1].type',
    'is required: must be one of text, image, document, search_result, tool_result',
    withBlock({ text: 'a' }),
  ],
  [
    'messages[1].content[1].type',
    "must be a block that a user turn can contain, not 'tool_use'",
    withBlock({ type: 'tool_use', id: 'a', name: 'f', input: {} }),
  ],
  [
    'messages[1].content[1].source.data',
    "must be base64 data, not 'not base64!'",
    withBlock({ type: 'image', source: { ...png, data: 'not base64!' } }),
  ],
  [
    'messages[1].content[1].source.media_type',
    "must be one of image/jpeg, image/png, image/gif, image/webp, not 'image/bmp'",
    withBlock({ type: 'image', source: { ...png, media_type: 'image/bmp' } }),
  ],
  [
    'messages[1].content[1].source.type',
    "must be one of base64, url, file, not 'ftp'",
    withBlock({ type: 'image', source: { type: 'ftp' } }),
  ],
  [
    'messages[1].content[1].content[0].source.url',
    "must be a URL that begins with 'https://', not 'file:///etc/passwd'",
    withBlock({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }],
    }),
  ],
  ['tools[1].input_schema', 'is required', { ...base, tools: [tool, { name: 'g' }] }],
  [
    'tools[0].name',
    "must be at most 128 letters, digits, dashes and underscores, not 'a b'",
    { ...base, tools: [{ ...tool, name: 'a b' }] },
  ],
  ['tools[1].name', 'is already the name of another tool', { ...base, tools: [tool, tool] }],
  [
    'tool_choice.type',
    "must be one of auto, any, tool, none, not 'bogus'",
    { ...base, tools: [tool], tool_choice: { type: 'bogus' } },
  ],
  ['tool_choice.name', 'is required', { ...base, tools: [tool], tool_choice: { type: 'tool' } }],
  [
    'tool_choice.name',
    'is not the name of a tool in this request',
    { ...base, tools: [tool], tool_choice: { type: 'tool', name: 'g' } },
  ],
  ['tool_choice', 'requires a call, but the request has no tools', { ...base, tool_choice: { type: 'any' } }],
  [
    'thinking.budget_tokens',
    'must be at least 1024, not 5',
    { ...base, thinking: { type: 'enabled', budget_tokens: 5 } },
  ],
  [
    'output_config.format.schema',
    'is required',
    { ...base, output_config: { format: { type: 'json_schema' } } },
  ],
  ['system[0].text', 'must be a string, not a number', { ...base, system: [{ type: 'text', text: 1 }] }],
];

describe('the fault of a messages request', () => {
  test.each(wrong)('%s %s', (param, problem, body) => {
    const refusal = decodeValue(body) as Refusal;
    expect(refusal).toBeInstanceOf(Refusal);
    expect({ code: refusal.code, param: refusal.param, message: refusal.message }).toEqual({
      code: 'invalid_request',
      param,
      message: `${param} ${problem}.`,
    });
  });

  test('refuses a thread so that the client sends the whole history', () => {
    const refusal = decodeValue({ ...base, thread: { type: 'create' } }) as Refusal;
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.details.fields).toEqual({
      details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    });
    expect(decodedValue({ ...base, thread: null }).turns.length).toBe(1);
  });
});

describe('the messages decoder', () => {
  test('treats null as absent', () => {
    const names =
      'system tools tool_choice thinking output_config output_format stream temperature top_p top_k'
        .concat(' stop_sequences metadata service_tier cache_control container speed')
        .split(' ');
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    expect(decodedValue({ ...base, ...nulls })).toEqual(decodedValue(base));
    expect(decodedValue({ ...base, messages: [user('hi'), { role: 'assistant', content: null }] })).toEqual(
      decodedValue(base),
    );
  });

  test('joins turns of one role and accepts system messages anywhere', () => {
    const messages = [
      user('a'),
      user('b'),
      { role: 'developer', content: 'c' },
      { role: 'system', content: [{ type: 'text', text: 'd', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: 'e' },
    ];
    expect(decodedValue({ ...base, messages }).turns).toEqual([
      { role: 'user', parts: ['a', 'b'].map((text) => ({ kind: 'text', text })) },
      {
        role: 'system',
        parts: [
          { kind: 'text', text: 'c' },
          { kind: 'text', text: 'd', cache: {} },
        ],
      },
      { role: 'assistant', parts: [{ kind: 'text', text: 'e' }] },
    ]);
  });

  test('keeps the text of schemas and arguments', () => {
    const text = `{"model":"m","max_tokens":1,"tools":[{"name":"f","input_schema":{ "type":"object", "maximum":1e400 }}],
      "output_config":{"format":{"type":"json_schema","schema":{"b":1.0, "a":2}}},
      "messages":[{"role":"assistant","content":[{"type":"text","text":"\\"input\\""},
        {"type":"tool_use","id":"x","name":"f","input":{"id": 12345678901234567890}}]}]}`;
    const { tools, format, turns } = decodedValue(text);
    expect(tools[0]).toMatchObject({ inputSchema: { text: '{ "type":"object", "maximum":1e400 }' } });
    expect(format).toMatchObject({ strict: true, schema: { text: '{"b":1.0, "a":2}' } });
    expect(turns[0]?.parts[1]).toMatchObject({
      input: { kind: 'json', text: '{"id": 12345678901234567890}' },
    });
  });

  test('keeps blocks of the tools that the vendor runs', () => {
    const block = { type: 'server_tool_use', id: 'a', name: 'web_search', input: { q: 1 } };
    expect(partsOf([block], 'assistant')).toEqual([{ kind: 'opaque', issuer: 'messages', block }]);
    const own = { type: 'web_search_20260318', name: 'web_search' };
    const [opaque] = decodedValue({
      ...base,
      tools: [own],
      tool_choice: { type: 'tool', name: 'web_search' },
    }).tools;
    expect(opaque).toMatchObject({ kind: 'opaque', issuer: 'messages', tool: { text: JSON.stringify(own) } });
  });

  test('decodes search results and documents made of text as text documents', () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    const found = { type: 'search_result', source: 'https://a.example', title: 'A', content };
    const source = { kind: 'text', text: 'one\ntwo' };
    expect(partsOf([found])).toEqual([
      { kind: 'document', source, title: 'A', context: 'https://a.example' },
    ] as never);
    const made = { type: 'document', source: { type: 'content', content }, citations: { enabled: true } };
    expect(partsOf([made])).toEqual([{ kind: 'document', source, citable: true }] as never);
    const pictured = { type: 'content', content: [...content, { type: 'image', source: png }] };
    expect(partsOf([{ type: 'document', source: pictured, title: 'T' }])?.map(({ kind }) => kind)).toEqual([
      'text',
      'text',
      'text',
      'image',
    ] as never);
  });

  test('keeps every kind of block in a result', () => {
    const content = [
      { type: 'tool_reference', tool_name: 'WebFetch' },
      { type: 'browser_state', tabs: 2 },
    ];
    expect(partsOf([{ type: 'tool_result', tool_use_id: 'a', content, is_error: true }])).toEqual([
      {
        kind: 'tool-result',
        callId: 'a',
        isError: true,
        content: [
          { kind: 'text', text: 'The tool WebFetch is available now.' },
          { kind: 'text', text: '{"type":"browser_state","tabs":2}' },
        ],
      },
    ]);
  });

  test('returns tokens to thinking, redacted thinking and calls', () => {
    const token = { issuer: 'google', data: 'call:abc' } as const;
    const parts = partsOf(
      [
        { type: 'thinking', thinking: 'hm', signature: 'theirs' },
        { type: 'thinking', thinking: '', signature: packReplay('messages', token) },
        { type: 'redacted_thinking', data: 'tollgate-replay-v1:broken' },
        { type: 'tool_use', id: 'x', name: 'f', input: {} },
        { type: 'redacted_thinking', data: packReplay('messages', { ...token, itemId: 'x' }) },
      ],
      'assistant',
    );
    expect(parts).toEqual([
      { kind: 'thinking', form: 'full', text: 'hm', replay: { issuer: 'messages', data: 'theirs' } },
      { kind: 'thinking', form: 'full', text: '', replay: token },
      { kind: 'tool-call', callId: 'x', name: 'f', input: { kind: 'json', text: '{}' }, replay: token },
    ]);
  });

  test('treats effort and thinking as hints and hides omitted thinking', () => {
    const thinking = { type: 'adaptive', display: 'omitted' };
    expect(decodedValue({ ...base, thinking, output_config: { effort: 'high' } }).thinking).toEqual({
      mode: 'adaptive',
      effort: 'high',
      effortIsRequired: false,
      visible: false,
      display: 'omitted',
    });
    expect(decodedValue({ ...base, output_config: { effort: 'low' } }).thinking).toMatchObject({
      mode: 'default',
    });
    expect(decodedValue({ ...base, output_config: {} }).thinking).toBeUndefined();
  });

  test('uses the user id as a cache key', () => {
    const request = decodedValue({ ...base, metadata: { user_id: 'u' }, service_tier: 'auto' });
    expect(request.hints).toEqual({ cacheKey: 'u', user: 'u', serviceTier: 'auto' });
  });
});
