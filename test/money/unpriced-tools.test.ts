import { afterAll, describe, expect, test } from 'bun:test';
import { extras } from '../../src/translation/canonical/extra.ts';
import type { Json } from '../support/call.ts';
import {
  type DialectName,
  type Fields,
  memberDialects,
  startMemberServer,
} from '../support/start-member-server.ts';

const { ask, sent, expectRefused, stop } = await startMemberServer({
  plain: {},
  allowing: { model: { allow_unpriced: extras } },
});
afterAll(stop);

const strict = { 'x-svc-strict': 'true' };

type ToolDialect = Exclude<DialectName, 'completions'>;

const mine = {
  chat: { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
  messages: { name: 'f', input_schema: { type: 'object' } },
  responses: { type: 'function', name: 'f', parameters: { type: 'object' } },
};

const hosted: readonly (readonly [ToolDialect, Fields, loss: string, choice: Json])[] = [
  ...(['web_search_20250305', 'web_search_20260318'] as const).map(
    (type) =>
      [
        'messages',
        { type, name: 'web_search', max_uses: 3 },
        'web-search',
        { type: 'tool', name: 'web_search' },
      ] as const,
  ),
  [
    'messages',
    { type: 'code_execution_20250825', name: 'code_execution' },
    'code-execution',
    { type: 'tool', name: 'code_execution' },
  ],
  ['messages', { type: 'mcp_toolset', mcp_server_name: 'a' }, 'mcp', undefined],
  ['responses', { type: 'web_search' }, 'web-search', { type: 'web_search' }],
  ['responses', { type: 'web_search_preview_2025_03_11' }, 'web-search', { type: 'web_search_preview' }],
  ['responses', { type: 'x_search' }, 'web-search', { type: 'x_search' }],
  ['responses', { type: 'image_generation', size: 'auto' }, 'image-generation', { type: 'image_generation' }],
  [
    'responses',
    { type: 'code_interpreter', container: { type: 'auto' } },
    'code-execution',
    { type: 'code_interpreter' },
  ],
  ['responses', { type: 'file_search' }, 'file-search', { type: 'file_search' }],
  ['responses', { type: 'mcp', server_label: 'a', server_url: 'https://a.example' }, 'mcp', { type: 'mcp' }],
  [
    'responses',
    { type: 'shell', environment: { type: 'container_auto' } },
    'code-execution',
    { type: 'shell' },
  ],
  ['chat', { type: 'web_search_preview' }, 'web-search', undefined],
  ['chat', { type: 'browser_search' }, 'web-search', undefined],
  ['chat', { type: 'openrouter:web_search' }, 'web-search', undefined],
  ['chat', { type: 'code_interpreter' }, 'code-execution', undefined],
  [
    'chat',
    { type: 'builtin_function', function: { name: '$web_search' } },
    'web-search',
    { type: 'function', function: { name: '$web_search' } },
  ],
];

describe('a hosted tool that costs more than tokens', () => {
  for (const [name, tool, loss, choice] of hosted) {
    const { own, other } = memberDialects[name];
    const tools = [tool, mine[name]];

    test(`is removed if it is optional: ${tool.type} on ${name} [CHT-22]`, async () => {
      const kept = await sent(name, `plain-${own}`, { tools: [mine[name]] });
      for (const tool_choice of [undefined, name === 'messages' ? { type: 'auto' } : 'auto']) {
        const { body, losses } = await sent(name, `plain-${own}`, { tools, tool_choice });
        expect(body).toEqual({ ...kept.body, ...(tool_choice !== undefined && { tool_choice }) });
        expect(losses).toBe(loss);
      }
      const translated = await sent(name, `plain-${other}`, { tools });
      expect(JSON.stringify(translated.body)).not.toContain(String(tool.type));
      expect(translated.losses!.split(', ')).toContain(loss);
      expectRefused(await ask(name, `plain-${own}`, { tools }, strict), 422, 'tools');
    });

    test(`is refused if it is the only tool, or forced: ${tool.type} on ${name} [CHT-22]`, async () => {
      const forced = name === 'messages' ? { type: 'any' } : 'required';
      for (const wire of [own, other]) {
        expectRefused(await ask(name, `plain-${wire}`, { tools: [tool] }), 422, 'tools[0]');
        expectRefused(
          await ask(name, `plain-${wire}`, { tools: [tool], tool_choice: forced }),
          422,
          'tools[0]',
        );
        if (choice === undefined || name === 'chat') continue;
        expectRefused(await ask(name, `plain-${wire}`, { tools, tool_choice: choice }), 422, 'tool_choice');
      }
      // Another tool can be called in its place.
      const { losses } = await sent(name, `plain-${own}`, { tools, tool_choice: forced });
      expect(losses).toBe(loss);
    });

    test(`passes if the model's row allows it: ${tool.type} on ${name} [CHT-22]`, async () => {
      const { body, losses } = await sent(name, `allowing-${own}`, { tools });
      expect({ tools: body.tools, losses }).toEqual({ tools, losses: null });
    });
  }

  test('is removed if the request forbids calls, even as the only tool [CHT-22]', async () => {
    const tools = [{ type: 'web_search' }];
    const { body, losses } = await sent('responses', 'plain-openai-responses', {
      tools,
      tool_choice: 'none',
      parallel_tool_calls: false,
    });
    for (const member of ['tools', 'tool_choice', 'parallel_tool_calls'])
      expect(body).not.toHaveProperty(member);
    expect(losses).toBe('web-search');
  });

  test('is removed from every list that names it [CHT-22]', async () => {
    const group = {
      type: 'namespace',
      name: 'g',
      description: 'g',
      tools: [mine.responses, { type: 'mcp' }],
    };
    const empty = { type: 'namespace', name: 'e', description: 'e', tools: [{ type: 'web_search' }] };
    const items = [
      { role: 'user', content: 'hi' },
      { type: 'additional_tools', tools: [{ type: 'image_generation' }] },
      { type: 'additional_tools', tools: [mine.responses, { type: 'web_search' }] },
    ];
    const allowed = [{ type: 'function', name: 'f' }, { type: 'web_search' }];
    const choice = { type: 'allowed_tools', mode: 'auto', tools: allowed };
    const fields = { tools: [group, empty, mine.responses], input: items, tool_choice: choice };
    const { body, losses } = await sent('responses', 'plain-openai-responses', fields);
    expect(body.tools).toEqual([{ ...group, tools: [mine.responses] }, mine.responses]);
    expect(body.input).toEqual([items[0], { type: 'additional_tools', tools: [mine.responses] }]);
    expect(body.tool_choice).toEqual({ ...choice, tools: [allowed[0]] });
    expect(new Set(losses!.split(', '))).toEqual(new Set(['mcp', 'web-search', 'image-generation']));
    const only = { ...choice, tools: [{ type: 'web_search' }] };
    const answer = await ask('responses', 'plain-openai-responses', { ...fields, tool_choice: only });
    expectRefused(answer, 422, 'tool_choice');
  });

  test('is none of the tools that the client runs, that are free or that are unknown [CHT-22]', async () => {
    const free = [
      'bash_20250124',
      'text_editor_20250728',
      'computer_20251124',
      'memory_20250818',
      'web_fetch_20250910',
      'tool_search_tool_bm25_20251119',
      'advisor_20260301',
      'later_20310101',
    ].map((type) => ({ type, name: type }));
    const own = await sent('messages', 'plain-anthropic-messages', { tools: free });
    expect({ tools: own.body.tools, losses: own.losses }).toEqual({ tools: free, losses: null });
    const tools = ['local_shell', 'apply_patch', 'computer_use_preview', 'tool_search', 'later', 'shell'].map(
      (type) => ({ type }),
    );
    const custom = { type: 'custom', name: 'web_search' };
    const all = [...tools, { type: 'shell', environment: { type: 'local' } }, custom];
    const { body, losses } = await sent('responses', 'plain-openai-responses', { tools: all });
    expect({ tools: body.tools, losses }).toEqual({ tools: all, losses: null });
  });
});
