import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { packReplay } from '../../encoding/replay-token.ts';
import { bodyOf } from '../testing/heads-with.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';

const codec = createChatDialectCodec();
const hi = { role: 'user', content: 'hi' };
const decodeText = (text: string) =>
  codec.decodeRequest(parseBodyAtOnce(text) as JsonBody) as CanonicalRequest;
const decode = (fields: JsonObject) =>
  codec.decodeRequest(bodyOf({ model: 'm', messages: [hi], ...fields })) as CanonicalRequest;
const turns = (...messages: object[]) => decode({ messages });

describe('messages', () => {
  test('separates the leading system prompt and keeps later system messages in place', () => {
    const { system, turns: rest } = turns(
      { role: 'system', content: 'a' },
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
      hi,
      { role: 'system', content: 'c' },
      hi,
    );
    expect(system).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]);
    expect(rest.map(({ role }) => role)).toEqual(['user', 'system', 'user']);
  });

  test('accepts content that is a text, a list, null, empty or missing', () => {
    const contents = ['x', [{ type: 'text', text: 'x' }], null, '', undefined];
    const parts = contents.map((content) => turns({ role: 'user', content }).turns[0]?.parts);
    const text = [{ kind: 'text', text: 'x' }];
    expect(parts as unknown).toEqual([text, text, [], [], []]);
  });

  test('keeps the source of media', () => {
    const { turns: rest } = turns({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: null } },
        { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' } },
        { type: 'file', file: { file_id: 'file-1' }, prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
    });
    expect(rest[0]?.parts).toEqual([
      { kind: 'image', source: { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' }, detail: 'low' },
      { kind: 'image', source: { kind: 'url', url: 'https://a.example/a.png' } },
      { kind: 'audio', source: { kind: 'base64', mediaType: 'audio/mp3', data: 'BBBB' } },
      {
        kind: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'CCCC' },
        filename: 'a.pdf',
      },
      { kind: 'document', source: { kind: 'file', fileId: 'file-1' }, cache: {} },
      { kind: 'text', text: 'x', cache: { ttl: '1h' } },
    ]);
  });

  test('reads a data URL of a file without a comma at once', () => {
    const file_data = `data:${'a'.repeat(20_000_000)}`;
    const [part] = turns({ role: 'user', content: [{ type: 'file', file: { file_data } }] }).turns[0]!.parts;
    expect(part?.kind === 'document' && part.source.kind).toBe('url');
  });

  test.each([null, '', {}])('takes a file by its id if its data is %p', (file_data) => {
    const file = { file_id: 'file-1', file_data, filename: null };
    const { turns: rest } = turns({ role: 'user', content: [{ type: 'file', file }] });
    expect(rest[0]?.parts).toEqual([{ kind: 'document', source: { kind: 'file', fileId: 'file-1' } }]);
  });

  test('joins results and the next user message in one turn', () => {
    const { turns: rest } = turns(
      hi,
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } },
          { id: 'b', type: 'custom', custom: { name: 'g', input: 'raw' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '1' }] },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'user', content: 'go on' },
    );
    expect(rest.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'tool-call', callId: 'a', name: 'f', input: { kind: 'json', text: '{"x": 1}' } },
          { kind: 'tool-call', callId: 'b', name: 'g', input: { kind: 'freeform', text: 'raw' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: 'a', content: [{ kind: 'text', text: '1' }] },
          { kind: 'tool-result', callId: 'b', content: [{ kind: 'text', text: '2' }], isFreeform: true },
          { kind: 'text', text: 'go on' },
        ],
      },
    ]);
  });

  test('matches results of legacy functions to their calls', () => {
    const { turns: rest } = turns(
      hi,
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'done' },
    );
    expect(rest[1]?.parts[0]).toMatchObject({ kind: 'tool-call', callId: 'call_function_1', name: 'f' });
    expect(rest[2]?.parts[0]).toMatchObject({ kind: 'tool-result', callId: 'call_function_1' });
  });

  test('restores signed thoughts, without the signature if the text was changed', () => {
    const signed = (from: number, to: number, data: string) => ({
      type: 'reasoning.encrypted',
      data: `${from}-${to}.${packReplay('chat-completions', { issuer: 'messages', data })}`,
    });
    const dark = packReplay('chat-completions', { issuer: 'messages', data: 'dark' });
    const said = (reasoning_content: string, ...reasoning_details: object[]) =>
      turns(hi, {
        role: 'assistant',
        content: 'x',
        reasoning_content,
        reasoning_details,
      }).turns[1]!.parts.slice(0, -1);
    const own = { issuer: 'chat-completions', data: 'reasoning_content' };
    expect(
      said(
        'abcd',
        signed(0, 3, 's-1'),
        { type: 'reasoning.encrypted', data: dark },
        signed(3, 3, 's-2'),
      ) as unknown,
    ).toEqual([
      { kind: 'thinking', form: 'full', text: 'abc', replay: { issuer: 'messages', data: 's-1' } },
      { kind: 'redacted-thinking', replay: { issuer: 'messages', data: 'dark' } },
      { kind: 'thinking', form: 'full', text: '', replay: { issuer: 'messages', data: 's-2' } },
      { kind: 'thinking', form: 'full', text: 'd', replay: own },
    ]);
    expect(said('ab', signed(0, 3, 's-1')) as unknown).toEqual([
      { kind: 'thinking', form: 'full', text: 'ab', replay: own },
    ]);
  });
});

describe('options', () => {
  test('treats null as absent in every field', () => {
    const names = `stream stream_options max_tokens max_completion_tokens temperature top_p top_k seed stop n logprobs
      frequency_penalty presence_penalty top_logprobs tools tool_choice functions function_call parallel_tool_calls
      response_format reasoning_effort user safety_identifier prompt_cache_key service_tier`;
    expect(decode(Object.fromEntries(names.split(/\s+/).map((name) => [name, null])))).toEqual(decode({}));
  });

  test('decodes every option', () => {
    expect(
      decode({
        stream: true,
        max_tokens: 5,
        max_completion_tokens: 7,
        temperature: 0.5,
        top_p: 0.9,
        seed: 3,
        stop: 'END',
        n: 2,
        logprobs: true,
        top_logprobs: 4,
        frequency_penalty: 1,
        presence_penalty: -1,
        reasoning_effort: 'low',
        user: 'u',
        safety_identifier: 's',
        prompt_cache_key: 'k',
        service_tier: 'flex',
        unknown: { field: 1 },
      }),
    ).toEqual({
      ...decode({}),
      stream: true,
      maxOutputTokens: 7,
      choices: 2,
      logprobs: { top: 4 },
      sampling: {
        temperature: 0.5,
        topP: 0.9,
        frequencyPenalty: 1,
        presencePenalty: -1,
        seed: 3,
        stopSequences: ['END'],
      },
      thinking: { mode: 'default', effort: 'low', effortIsRequired: true, visible: true },
      hints: { cacheKey: 'k', wantsCache: true, user: 's', serviceTier: 'flex' },
    });
  });

  test('keeps the bytes of schemas', () => {
    const schema = '{ "type":"object", "properties":{"b":{"const":1.0},"a":{}} }';
    const decoded = decodeText(
      `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","strict":null,` +
        `"parameters":${schema}}},{"type":"custom","custom":{"name":"g","format":{ "type":"text" }}},{"type":"web_search"}],` +
        `"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":${schema},"strict":true}}}`,
    );
    expect(decoded.tools).toEqual([
      { kind: 'function', name: 'f', inputSchema: new RawJson(schema) },
      { kind: 'freeform', name: 'g', format: new RawJson('{ "type":"text" }') },
      { kind: 'opaque', issuer: 'chat-completions', tool: new RawJson('{"type":"web_search"}') },
    ]);
    expect(decoded.format).toEqual({
      kind: 'json-schema',
      name: 'r',
      strict: true,
      schema: new RawJson(schema),
    });
  });

  test('decodes tool choices, including a choice among some tools', () => {
    const named = (name: string) => ({ type: 'function', function: { name } });
    const tools = [named('f'), named('g')];
    const choice = (tool_choice: unknown) => decode({ tools, tool_choice }).toolChoice;
    expect(['none', 'auto', 'required', { type: 'none' }].map((value) => choice(value)?.kind)).toEqual([
      'none',
      'auto',
      'any',
      'none',
    ]);
    expect(choice(named('g'))).toEqual({ kind: 'named', name: 'g' });
    const allowed_tools = { mode: 'required', tools: [named('g')] };
    const some = decode({ tools, tool_choice: { type: 'allowed_tools', allowed_tools } });
    expect(some.tools).toMatchObject([{ name: 'g' }]);
    expect(some.toolChoice).toEqual({ kind: 'any' });
    for (const noTools of [{}, { tools: null }, { tools: [] }])
      expect(decode({ functions: [{ name: 'f' }], function_call: { name: 'f' }, ...noTools })).toMatchObject({
        tools: [{ kind: 'function', name: 'f' }],
        toolChoice: { kind: 'named', name: 'f' },
        parallelToolCalls: false,
      });
  });
});

test.each([{ function: null }, { custom: null }])("takes a host's own tool with %j", (member) => {
  const tools = [{ type: 'web_search', ...member }];
  expect(decode({ tools, tool_choice: 'required' }).toolChoice).toEqual({ kind: 'any' });
  const choice = { type: 'web_search', ...member };
  expect(decode({ tools, tool_choice: choice })).not.toHaveProperty('toolChoice');
});

describe('an invalid body', () => {
  const user = (...content: unknown[]) => ({ messages: [hi, { role: 'user', content }] });
  const assistant = (fields: object) => ({ messages: [{ role: 'assistant', ...fields }] });
  const tool = (fields: object) => ({ tools: [{ type: 'function', function: { name: 'f' } }, fields] });
  test.each<[JsonObject, string]>([
    [{ model: undefined }, 'model'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [user({ type: 'image', source: {} }), 'messages[1].content[0].type'],
    [user({ type: 'text' }), 'messages[1].content[0].text'],
    [user({ type: 'image_url', image_url: { url: 'AAAA' } }), 'messages[1].content[0].image_url.url'],
    [user({ type: 'image_url', image_url: {} }), 'messages[1].content[0].image_url.url'],
    [
      user({ type: 'input_audio', input_audio: { data: 'A', format: 'ogg' } }),
      'messages[1].content[0].input_audio.format',
    ],
    [user({ type: 'file', file: {} }), 'messages[1].content[0].file.file_data'],
    [
      assistant({ tool_calls: [{ type: 'function', function: { name: 'f', arguments: '' } }] }),
      'messages[0].tool_calls[0].id',
    ],
    [
      assistant({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }),
      'messages[0].tool_calls[0].function.arguments',
    ],
    [tool({ type: 'function', function: { name: '' } }), 'tools[1].function.name'],
    [tool({ type: 'function', function: { name: 'g', strict: 'yes' } }), 'tools[1].function.strict'],
    [tool({ function: { name: 'g' } }), 'tools[1].type'],
    [{ tool_choice: 'some' }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ ...tool({ type: 'x' }), tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice'],
    [{ response_format: { type: '' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, 'response_format.json_schema.name'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ temperature: 3 }, 'temperature'],
    [{ n: 0 }, 'n'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ temperature: 'hot', messages: [] }, 'messages'],
  ])('is refused with the invalid field: %j', (fields, param) => {
    const refusal = codec.decodeRequest(bodyOf({ model: 'm', messages: [hi], ...fields }));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect((refusal as Refusal).message).toStartWith(`${param} `);
  });
});
