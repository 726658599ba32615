import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { recapText } from '../encoding/recap.ts';
import { encodeRequest as encodeOther } from '../protocols/google/encode-request.ts';
import { createMessagesDialectCodec } from '../protocols/messages/messages-dialect-codec.ts';
import { encodeRequest } from '../protocols/responses/encode-request.ts';
import { createResponsesDialectCodec } from '../protocols/responses/responses-dialect-codec.ts';
import { fitRequest } from './fit-request.ts';

const codecs = { responses: createResponsesDialectCodec(), messages: createMessagesDialectCodec() };
const wires = ['chat-completions', 'google', 'bedrock'] as const;

function decoded(dialect: keyof typeof codecs, fields: JsonObject): CanonicalRequest {
  const own = dialect === 'messages' ? { max_tokens: 9, messages: [user] } : { input: 'Hello.' };
  const value = { model: 'm', ...own, ...fields };
  return acceptedOrError(codecs[dialect].decodeRequest(knownBody(JSON.stringify(value), value)));
}

const user = { role: 'user', content: 'Hello.' };
const find = { type: 'function', name: 'find', parameters: { type: 'object', properties: {} } };
const search = { type: 'web_search' };

const fit = (fields: JsonObject, wire: (typeof wires)[number] = 'google') =>
  fitRequest(decoded('responses', fields), wire);
function fitted(fields: JsonObject, wire?: (typeof wires)[number]) {
  return acceptedOrError(fit(fields, wire));
}
const namesIn = ({ tools }: CanonicalRequest) =>
  tools.map((tool) => (tool.kind === 'opaque' ? '?' : tool.name));
const shownTurns = ({ turns }: CanonicalRequest) =>
  turns.map(({ role, parts }) => [role, ...parts.map((part) => describePart(partial<JsonObject>(part)))]);

function describePart({ kind, text, name, input, content }: JsonObject): string {
  if (kind === 'tool-call') return `${name}(${objectOf(input).text})`;
  if (kind === 'tool-result') return `→ ${(content as JsonObject[]).map((part) => part.text).join('')}`;
  return String(text ?? kind);
}

describe('a hosted tool that the target does not have', () => {
  test.each([
    [{ type: 'web_search' }, 'web-search'],
    [{ type: 'code_interpreter', container: { type: 'auto' } }, 'code-execution'],
    [{ type: 'image_generation' }, 'image-generation'],
    [{ type: 'file_search', vector_store_ids: ['v'] }, 'file-search'],
    [{ type: 'mcp', server_label: 'a', server_url: 'https://a.example' }, 'mcp'],
    [{ type: 'shell', environment: { type: 'container_auto' } }, 'code-execution'],
    [{ type: 'computer' }, 'computer-use'],
    [{ type: 'tool_search' }, 'tool-search'],
    [{ type: 'programmatic_tool_calling' }, 'programmatic-calls'],
    [{ type: 'tomorrow' }, 'opaque-tool'],
  ] as const)('is removed and named if it is merely offered: %j', (tool, code) => {
    for (const wire of wires) {
      const { request, losses } = fitted({ tools: [find, tool] }, wire);
      expect(losses).toEqual([{ code }]);
      expect(namesIn(request)).toEqual(['find']);
    }
  });

  test.each([
    ['the only tool', { tools: [search] }, 'tools', 'the only tool is web_search'],
    ['required', { tools: [search], tool_choice: 'required' }, 'tools', 'the only tool is web_search'],
    [
      'forced',
      { tools: [find, search], tool_choice: { type: 'web_search' } },
      'tool_choice',
      'forces a call of web_search',
    ],
  ])('refuses the request and is named if it is %s', (_, fields, param, problem) => {
    const refusal = fit(fields) as Refusal;
    expect(refusal).toMatchObject({ code: 'route_not_qualified', param });
    expect(refusal.message).toContain(problem);
  });

  test('is removed if calls are forbidden', () => {
    expect(fitted({ tools: [search], tool_choice: 'none' }).losses).toEqual([{ code: 'web-search' }]);
  });

  test("of Anthropic's is named as well", () => {
    const tool = { type: 'web_search_20260318', name: 'web_search' };
    expect(fitRequest(decoded('messages', { tools: [tool] }), 'google')).toMatchObject({
      code: 'route_not_qualified',
      param: 'tools',
    });
  });
});

describe('a tool that the client runs', () => {
  test.each(['shell', 'local_shell', 'apply_patch'])('becomes a function: %s', (type) => {
    const { request, losses } = fitted({
      tools: [{ type }],
      tool_choice: type === 'shell' ? { type } : 'auto',
    });
    expect(losses).toEqual([]);
    expect(request.tools).toMatchObject([{ kind: 'function', name: type, standsFor: type }]);
  });

  test("of Anthropic's becomes a function", () => {
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { type: 'memory_20250818', name: 'memory' },
    ];
    const result = acceptedOrError(fitRequest(decoded('messages', { tools }), 'chat-completions'));
    expect(namesIn(result.request)).toEqual(['bash', 'str_replace_based_edit_tool', 'memory']);
    expect(result.losses).toEqual([]);
  });

  test('gets another name if a function has its name', () => {
    const { request } = fitted({
      tools: [{ ...find, name: 'shell' }, { type: 'shell' }],
      input: [
        { role: 'user', content: 'List.' },
        { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'c', output: [] },
      ],
    });
    expect(namesIn(request)).toEqual(['shell', 'shell_tool']);
    expect(shownTurns(request)[1]).toEqual(['assistant', 'shell_tool({"commands":["ls"]})']);
  });

  test('gets a name that no function has, even if several have similar names', () => {
    const { request } = fitted({
      tools: [{ ...find, name: 'shell' }, { ...find, name: 'shell_tool' }, { type: 'shell' }],
    });
    expect(namesIn(request)).toEqual(['shell', 'shell_tool', 'shell_tool2']);
  });

  test('searches for tools that can then be called', () => {
    const { request, losses } = fitted({
      tools: [{ type: 'tool_search', execution: 'client', description: 'Look.' }],
      input: [
        { role: 'user', content: 'Look.' },
        { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'a' } },
        { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [find] },
        { type: 'additional_tools', role: 'developer', tools: [find, { ...find, name: 'more' }] },
        { type: 'additional_tools', tools: [{ type: { toString: 0 } }, { ...find, name: { toString: 0 } }] },
      ],
    });
    expect(losses).toEqual([]);
    expect(namesIn(request)).toEqual(['tool_search', 'find', 'more']);
    expect(shownTurns(request)).toEqual([
      ['user', 'Look.'],
      ['assistant', 'tool_search({"query":"a"})'],
      ['user', '→ Found: find.'],
    ]);
  });
});

test("the vendor's own calls and results become those of functions", () => {
  const operation = { type: 'delete_file', path: 'a' };
  const { request } = fitted({
    tools: [find],
    input: [
      { role: 'user', content: 'Work.' },
      { type: 'shell_call', call_id: 'a', action: { commands: ['ls'], timeout_ms: 5 } },
      { type: 'shell_call_output', call_id: 'a', output: [{ stdout: 'x', stderr: '' }] },
      { type: 'local_shell_call', id: 'l', call_id: 'b', action: { type: 'exec', command: ['ls'], env: {} } },
      { type: 'local_shell_call_output', id: 'b', output: 'y' },
      { type: 'apply_patch_call', call_id: 'c', operation, status: 'completed' },
      { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'no file' },
      { type: 'program', id: 'p', call_id: 'd', code: 'find()', fingerprint: 'f' },
      { type: 'program_output', id: 'po', call_id: 'd', result: '1', status: 'completed' },
      { type: 'tool_search_call', execution: 'server', arguments: {} },
      { type: 'tool_search_output', execution: 'server', tools: [find] },
    ],
  });
  expect(shownTurns(request)).toEqual([
    ['user', 'Work.'],
    ['assistant', 'shell({"commands":["ls"],"timeout_ms":5})'],
    ['user', '→ [{"stdout":"x","stderr":""}]'],
    ['assistant', 'local_shell({"command":["ls"],"env":{}})'],
    ['user', '→ y'],
    ['assistant', `apply_patch(${JSON.stringify({ operation })})`],
    ['user', '→ no file'],
    ['assistant', 'program({"code":"find()"})'],
    ['user', '→ 1'],
  ]);
  expect(request.turns[6]!.parts[0]).toMatchObject({ isError: true });
});

test('an unknown content of a message reaches only its own wire', () => {
  const unknown = { type: 'input_smell', smell: 'tar' };
  const content = [{ type: 'input_text', text: 'What is it?' }, unknown];
  const request = decoded('responses', { input: [{ role: 'user', content }] });
  const target = { upstreamModel: 'm', reasoning: false, reasoningEfforts: [] };
  const own = encodeRequest(request, target);
  expect(JSON.stringify(own)).toContain('input_smell');
  const other = encodeOther(request, target);
  expect(other).toMatchObject({ losses: [{ code: 'opaque-block' }] });
  expect(JSON.stringify(other)).toContain('What is it?');
  expect(JSON.stringify(other)).not.toContain('input_smell');
});

test('a request on its own wire keeps its items and tools', () => {
  const request = decoded('responses', { tools: [search, { type: 'shell' }] });
  expect(fitRequest(request, 'responses')).toEqual({ request, losses: [] });
});

describe('a compacted conversation', () => {
  test("is opened if it is Anthropic's text", () => {
    const block = { type: 'compaction', content: 'It works.' };
    const messages = [user, { role: 'assistant', content: [block] }, user];
    const result = fitRequest(decoded('messages', { messages }), 'google');
    expect(JSON.stringify(result)).toContain(JSON.stringify(recapText('It works.')));
  });

  test('is refused if another vendor encrypted it', () => {
    const item = { type: 'compaction', encrypted_content: 'gAAA' };
    expect(fit({ input: [item, { role: 'user', content: 'Go on.' }] })).toMatchObject({
      code: 'route_not_qualified',
      param: 'input',
    });
  });

  test('is ordered by a trigger, without calls', () => {
    const { request } = fitted({
      tools: [find, search],
      input: [{ role: 'user', content: 'Hello.' }, { type: 'compaction_trigger' }],
    });
    expect(request).toMatchObject({ compacts: true, toolChoice: { kind: 'none' } });
    expect(shownTurns(request)[0]![2]).toStartWith('Write a summary');
  });
});

test('fits a conversation in time that grows with its length', () => {
  const page = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } };
  const pages = Array.from({ length: 9_000 }, () => ({ role: 'assistant', content: [page] }));
  const request = decoded('messages', { messages: [user, ...pages] });
  const { request: moved } = acceptedOrError(fitRequest(request, 'google'));
  expect(moved.turns.map(({ parts }) => parts.length)).toEqual([9_001]);
  expect(request.turns[0]?.parts).toHaveLength(1);
});
