import { expect, test } from 'bun:test';
import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { createChunkPatcher } from './create-chunk-patcher.ts';

const label = { id: '"ours"', model: '"asked-for"', provider: null, x_groq: null };

const orders = [
  ['id', 'provider', 'model', 'choices', 'usage', 'obfuscation'],
  ['id', 'model', 'choices', 'provider', 'usage'],
  ['choices', 'id', 'model', 'usage'],
  ['id', 'usage', 'model', 'choices'],
  ['model', 'choices', 'usage'],
  ['id', 'model', 'choices', 'x_groq', 'usage'],
];

function* chunksInOrder(order: readonly string[]) {
  let count = 0;
  for (const content of ['a', '","usage":null', 'x,"usage":null}', '"id":"upstream"']) {
    for (const usage of [null, { prompt_tokens: 1 }, undefined]) {
      for (const missing of ['', 'provider', 'id', 'model']) {
        const members: Record<string, unknown> = {
          id: 'upstream',
          model: count % 5 === 4 ? 'another' : 'served',
          provider: 'Host',
          x_groq: { id: 'host' },
          choices: [{ index: 0, delta: { content }, usage: null }],
          usage,
          obfuscation: 'x'.repeat(count++ % 7),
        };
        const kept = order.filter((key) => key !== missing && members[key] !== undefined);
        yield Object.fromEntries(kept.map((key) => [key, members[key]]));
      }
    }
  }
}

test('patches every chunk of a stream as if it were the only one', () => {
  for (const patch of [label, { ...label, usage: null }]) {
    for (const order of orders) {
      const patchChunk = createChunkPatcher(patch);
      for (const chunk of chunksInOrder(order)) {
        const text = JSON.stringify(chunk);
        expect(patchChunk(text, chunk)).toBe(patchJson(text, membersOf(text), patch));
      }
    }
  }
});

test('removes an upstream name that a chunk repeats after its choices', () => {
  const head = '{"id":"upstream","model":"served","choices":[]';
  const chunks = [`${head}}`, `${head},"model":"served-2"}`, `${head},"id":"upstream-2"}`];
  const patchChunk = createChunkPatcher(label);
  expect(patchChunk(chunks[0]!, JSON.parse(chunks[0]!))).not.toContain('served');
  for (const chunk of chunks.slice(1))
    expect(() => patchChunk(chunk, JSON.parse(chunk))).toThrow(SyntaxError);
});
