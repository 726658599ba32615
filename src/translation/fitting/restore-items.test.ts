import { expect, test } from 'bun:test';
import type { JsonObject } from '../../base/json/json-body.ts';
import { collect } from '../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../canonical/event.ts';
import type { OpaquePart } from '../canonical/part.ts';
import type { Tool } from '../canonical/request.ts';
import { unpackRecap } from '../encoding/recap.ts';
import { restoreItems } from './restore-items.ts';

const start: StreamEvent = { type: 'response-start', responseId: 'resp_7', model: 'm' };
const end: StreamEvent = { type: 'response-end', stop: { kind: 'tool-call' } };
const KEY = new Uint8Array(32);

const standIn = (standsFor: string, name = standsFor): Tool => ({ kind: 'function', name, standsFor });

const callOf = (index: number, name: string, pieces: readonly string[]): StreamEvent[] => [
  { type: 'part-start', index, part: { kind: 'tool-call', callId: `c${index}`, name, inputKind: 'json' } },
  ...pieces.map((text): StreamEvent => ({ type: 'part-delta', index, delta: { kind: 'tool-input', text } })),
  { type: 'part-end', index },
];

function restored(events: readonly StreamEvent[], request: Parameters<typeof restoreItems>[0]) {
  const response = collect([start, ...events, end].flatMap(restoreItems(request, KEY))) as CanonicalResponse;
  return response.parts;
}

const operation = { type: 'create_file', path: 'a', diff: '+b' };

test.each([
  [
    'shell',
    { commands: ['ls', 'pwd'], timeout_ms: 9 },
    {
      id: 'sh_c0',
      type: 'shell_call',
      action: { commands: ['ls', 'pwd'], timeout_ms: 9, max_output_length: null },
      environment: { type: 'local' },
    },
  ],
  [
    'local_shell',
    { command: ['ls'], working_directory: '/' },
    {
      id: 'lsh_c0',
      type: 'local_shell_call',
      action: { type: 'exec', command: ['ls'], working_directory: '/', env: {} },
    },
  ],
  ['apply_patch', { operation }, { id: 'apc_c0', type: 'apply_patch_call', operation }],
  ['apply_patch', operation, { id: 'apc_c0', type: 'apply_patch_call', operation }],
  [
    'tool_search',
    { query: 'q' },
    { id: 'tsc_c0', type: 'tool_search_call', execution: 'client', arguments: { query: 'q' } },
  ],
])("a call of the function that stands for %s becomes the vendor's item", (type, input, item) => {
  const text = JSON.stringify(input);
  const parts = restored(
    [...callOf(0, type, [text.slice(0, 5), text.slice(5)]), ...callOf(1, 'find', ['{}'])],
    { tools: [standIn(type), { kind: 'function', name: 'find' }] },
  );
  expect(parts).toEqual([
    { kind: 'opaque', issuer: 'responses', block: { ...item, status: 'completed', call_id: 'c0' } },
    { kind: 'tool-call', callId: 'c1', name: 'find', input: { kind: 'json', text: '{}' } },
  ]);
});

test('a call with arguments that are no JSON stays a call, so that the client can answer it', () => {
  const [part] = restored(callOf(0, 'shell_tool', ['{"comm']), { tools: [standIn('shell', 'shell_tool')] });
  expect(part).toMatchObject({ block: { type: 'shell_call', call_id: 'c0', action: { commands: [] } } });
});

test('the answer to a compaction trigger is one item with the summary', () => {
  const parts = restored(
    [
      { type: 'part-start', index: 0, part: { kind: 'thinking', form: 'full' } },
      { type: 'part-delta', index: 0, delta: { kind: 'thinking', text: 'Hm.' } },
      { type: 'part-end', index: 0 },
      { type: 'part-start', index: 1, part: { kind: 'text' } },
      { type: 'part-delta', index: 1, delta: { kind: 'text', text: 'It ' } },
      { type: 'part-delta', index: 1, delta: { kind: 'text', text: 'works.' } },
      { type: 'part-end', index: 1 },
    ],
    { tools: [], compacts: true },
  );
  expect(parts).toHaveLength(1);
  const { block } = parts[0] as OpaquePart & { block: JsonObject };
  expect(block).toMatchObject({ id: 'cmp_7', type: 'compaction' });
  expect(unpackRecap(String(block['encrypted_content']), KEY)).toBe('It works.');
});
