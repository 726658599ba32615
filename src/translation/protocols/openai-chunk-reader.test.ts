import { expect, test } from 'bun:test';
import { createChunkReader } from './openai-chunk-reader.ts';

const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const label = { id: 'ours', model: 'asked-for', estimate };
const chunk = { id: 'up', model: 'up', choices: [{ index: 0, delta: { content: 'a' } }] };

test('writes a chunk on one line, even if the upstream uses several', () => {
  const read = createChunkReader({ label, showsUsage: true, choices: 1 });
  for (let count = 0; count < 2; count++)
    expect(read({ data: JSON.stringify(chunk, null, 2) }).text).toMatch(/^data: \{.*"asked-for".*\}\n\n$/);
});
