import { expect, test } from 'bun:test';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import { plainRequest } from '../canonical/testing/plain-request.ts';
import { renameTools } from './rename-tools.ts';
import { restoreCall } from './restore-tools.ts';
import { GOOGLE_NAME, LONG_NAME, SHORT_NAME } from './tool-names.ts';

const named = (name: string): Tool => ({ kind: 'function', name });
const call = (name: string) => ({
  kind: 'tool-call' as const,
  callId: 'c',
  name,
  input: { kind: 'json' as const, text: '{}' },
});
const requestOf = (...names: string[]) =>
  plainRequest({
    turns: [{ role: 'assistant', parts: names.map(call) }],
    tools: names.map(named),
    toolChoice: { kind: 'named', name: names[0]! },
  });
const namesIn = ({ tools, turns, toolChoice }: CanonicalRequest) => [
  tools.map((tool) => (tool.kind === 'opaque' ? '' : tool.name)),
  turns[0]!.parts.map((part) => (part.kind === 'tool-call' ? part.name : '')),
  toolChoice?.kind === 'named' ? toolChoice.name : '',
];

test('names that a wire refuses become others in the whole request until the answer restores them', () => {
  const request = requestOf('crm.find', 'crm:find', 'find');
  const renamed = renameTools(request, SHORT_NAME);
  const [tools, calls, choice] = namesIn(renamed);
  expect(calls).toEqual(tools!);
  expect(choice).toBe(tools![0]!);
  expect(new Set(tools).size).toBe(3);
  for (const name of tools!) expect(name).toMatch(SHORT_NAME);
  const restored = [...tools!].map((name) => restoreCall(request.tools)(call(name)).name);
  expect(restored).toEqual(['crm.find', 'crm:find', 'find']);
  expect(renameTools(request, GOOGLE_NAME)).toBe(request);
});

test('long names are shortened for wires that take only short ones', () => {
  const request = requestOf('x'.repeat(100), 'x'.repeat(101));
  expect(renameTools(request, LONG_NAME)).toBe(request);
  const [tools] = namesIn(renameTools(request, SHORT_NAME));
  for (const name of tools!) expect(name).toMatch(SHORT_NAME);
  expect([...tools!].map((name) => restoreCall(request.tools)(call(name)).name.length)).toEqual([100, 101]);
});
