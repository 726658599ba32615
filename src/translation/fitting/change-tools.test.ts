import { expect, test } from 'bun:test';
import type { OpaquePart } from '../canonical/part.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { Tool } from '../canonical/request.ts';
import { changesTool, changeTools } from './change-tools.ts';

const first: Tool = { kind: 'function', name: 'first' };
const search = { type: 'web_search_20250305', name: 'web_search' };
const hosted: Tool = { kind: 'opaque', issuer: 'messages', tool: new RawJson(JSON.stringify(search)) };

const block = (type: string, tool: object): OpaquePart => ({
  kind: 'opaque',
  issuer: 'messages',
  block: { type, tool },
});
const removal = (name: string) => block('tool_removal', { type: 'tool_reference', name });
const addition = (name: string) => block('tool_addition', { type: 'tool_reference', name });
const defined = (definition: object) => block('tool_addition', { type: 'tool_definition', definition });
const namesAfter = (...items: OpaquePart[]) =>
  changeTools([first, hosted], items).map((tool) => (tool.kind === 'opaque' ? 'opaque' : tool.name));

test('applies additions and removals in the order of the conversation', () => {
  expect(namesAfter()).toEqual(['first', 'opaque']);
  expect(namesAfter(removal('first'))).toEqual(['opaque']);
  expect(namesAfter(removal('web_search'))).toEqual(['first']);
  expect(namesAfter(removal('first'), addition('first'))).toEqual(['opaque', 'first']);
  expect(namesAfter(addition('unknown'))).toEqual(['first', 'opaque']);
});

test('a definition replaces the tool of its name for later references too', () => {
  const second = { name: 'second', input_schema: { type: 'object' } };
  expect(namesAfter(defined(second))).toEqual(['first', 'opaque', 'second']);
  expect(namesAfter(defined(second), removal('second'), addition('second'))).toContain('second');
  const changed = { name: 'first', description: 'Changed.', input_schema: { type: 'object' } };
  expect(changeTools([first], [defined(changed)])).toMatchObject([
    { name: 'first', description: 'Changed.' },
  ]);
});

test("leaves an MCP server's tools to the losses", () => {
  expect(
    changesTool({ type: 'tool_addition', tool: { type: 'mcp_toolset_reference', server_name: 'x' } }),
  ).toBe(false);
  expect(changesTool({ type: 'text', text: 'x' })).toBe(false);
});
