import { expect, test } from 'bun:test';
import { createMessagesDialect } from '../../translation/protocols/messages/create-messages-dialect.ts';
import { hostedTurns } from './hosted-turns.ts';

const search = { type: 'web_search_20250305', name: 'web_search' };
const added = (definition: object) => ({
  messages: [{ role: 'system', content: [{ type: 'tool_addition', tool: { definition } }] }],
});

test.each([
  [{ tools: [{ type: 'function' }, { type: 'custom' }] }, 1],
  [{ tools: [{ type: 'bash_20250124' }, { type: 'local_shell' }, { type: 'computer_use_preview' }] }, 1],
  [{ tools: [{ name: 'a tool without a type' }] }, 1],
  [{ tools: [search] }, 32],
  [{ tools: [{ type: 'code_interpreter' }] }, 32],
  [{ web_search_options: {} }, 32],
  [{ mcp_servers: null }, 1],
  [{ tools: 'none' }, 1],
  [added(search), 32],
  [{ tools: [{ ...search, max_uses: 40 }], ...added({ ...search, name: 'other', max_uses: 20 }) }, 61],
  [{ tools: [search], max_tool_calls: 50 }, 51],
] as const)('the vendor runs tools in the turns of %j: %d [CRD-49]', (body, turns) => {
  expect(hostedTurns(body as Record<string, unknown>, createMessagesDialect())).toBe(turns);
});
