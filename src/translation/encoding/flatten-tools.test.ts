import { expect, test } from 'bun:test';
import { collect } from '../canonical/collect.ts';
import type { StreamEvent } from '../canonical/event.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { Tool } from '../canonical/request.ts';
import { plainRequest } from '../canonical/testing/plain-request.ts';
import { flattenTools } from './flatten-tools.ts';
import { restoreCall, restoreTools } from './restore-tools.ts';

const long = 'x'.repeat(60);
const tools: Tool[] = [
  { kind: 'function', name: 'find' },
  { kind: 'function', name: 'find', namespace: 'crm' },
  { kind: 'function', name: 'crm__find' },
  { kind: 'function', name: 'open', namespace: 'mcp__files' },
  { kind: 'function', name: long, namespace: 'a.b' },
  { kind: 'freeform', name: 'patch', description: 'Patches.', format: new RawJson('{"type":"text"}') },
];
const request = plainRequest({
  turns: [
    {
      role: 'assistant',
      parts: [
        {
          kind: 'tool-call',
          callId: 'a',
          name: 'find',
          namespace: 'crm',
          input: { kind: 'json', text: '{}' },
        },
        { kind: 'tool-call', callId: 'b', name: 'patch', input: { kind: 'freeform', text: 'say "hi"' } },
      ],
    },
  ],
  tools,
  toolChoice: { kind: 'named', name: 'open', namespace: 'mcp__files' },
});
const flat = flattenTools(request, { wrapFreeform: true });
const flatNames = flat.request.tools.map((tool) => (tool.kind === 'opaque' ? '' : tool.name));

test('gives tools of a namespace unique names that every vendor accepts', () => {
  expect(flatNames.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  expect(new Set(flatNames).size).toBe(tools.length);
  expect(flatNames[3]).toBe('mcp__files__open');
  expect(flat.losses.map(({ code }) => code)).toEqual(['namespace-flattened', 'freeform-tool']);
});

test('renames tools in the choice and in earlier calls', () => {
  expect(flat.request.toolChoice).toEqual({ kind: 'named', name: 'mcp__files__open' });
  expect(flat.request.turns[0]?.parts).toEqual([
    { kind: 'tool-call', callId: 'a', name: flatNames[1]!, input: { kind: 'json', text: '{}' } },
    {
      kind: 'tool-call',
      callId: 'b',
      name: 'patch',
      input: { kind: 'json', text: '{"input":"say \\"hi\\""}' },
    },
  ]);
});

test('turns a freeform tool into a function with one string parameter', () => {
  expect(flat.request.tools[5]).toMatchObject({ kind: 'function', name: 'patch' });
  expect(flattenTools(request, { wrapFreeform: false }).request.tools[5]).toEqual(tools[5]!);
});

test('returns the same object for a request without namespaces and freeform tools', () => {
  const plain = { ...request, tools: [tools[0]!], turns: [] };
  expect(flattenTools(plain, { wrapFreeform: true }).request).toBe(plain);
});

test('restores names and inputs in streamed and whole answers', () => {
  const call = (index: number, name: string, text: string): StreamEvent[] => [
    {
      type: 'part-start',
      index,
      part: { kind: 'tool-call', callId: `${index}`, name, inputKind: 'json' },
    },
    ...[...text].map(
      (letter): StreamEvent => ({
        type: 'part-delta',
        index,
        delta: { kind: 'tool-input', text: letter },
      }),
    ),
    { type: 'part-end', index },
  ];
  const events = [
    ...flatNames.flatMap((name, index) => call(index, name, index === 5 ? '{"input":"a\\nb"}' : '{"a":1}')),
    ...call(6, 'open', '{}'),
    ...call(7, 'stranger', '{}'),
    ...call(8, 'patch', 'no JSON'),
  ];
  const whole = collect(events);
  const restored = collect(events.flatMap(restoreTools(tools)));
  if (!('parts' in whole && 'parts' in restored)) throw new Error('no answer');
  const calls = restored.parts.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
  expect(calls.map(({ namespace, name }) => [namespace, name])).toEqual([
    ...tools.map((tool) => (tool.kind === 'opaque' ? [] : [tool.namespace, tool.name])),
    ['mcp__files', 'open'],
    [undefined, 'stranger'],
    [undefined, 'patch'],
  ]);
  expect(calls[5]?.input).toEqual({ kind: 'freeform', text: 'a\nb' });
  expect(calls[8]?.input).toEqual({ kind: 'freeform', text: 'no JSON' });
  const parts = whole.parts.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
  expect(parts.map(restoreCall(tools))).toEqual(calls);
  expect(calls.map(restoreCall(tools))).toEqual(calls);
});

test('drops a namespace that the host made up', () => {
  const found = { kind: 'tool-call', callId: 'c', input: { kind: 'json', text: '{}' } } as const;
  const restore = restoreCall(tools);
  expect(restore({ ...found, namespace: 'found', name: 'crm__find' })).toEqual({
    ...found,
    name: 'crm__find',
  });
  expect(restore({ ...found, namespace: 'crm', name: 'find' }).namespace).toBe('crm');
  expect(restore({ ...found, namespace: 'found', name: 'stranger' }).namespace).toBe('found');
});
