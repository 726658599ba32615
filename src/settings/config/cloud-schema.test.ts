import { expect, test } from 'bun:test';
import { parseConfig } from './load-config.ts';

test.each([
  [
    'native batches of Vertex AI',
    '{ id: one, wire: anthropic-messages, google: {}, batch: native }',
    'batch: must be none, since Vertex AI has no such batches',
  ],
  [
    'the address of a metadata server',
    "{ id: one, wire: openai-chat, base_url: 'http://169.254.169.254/v1' }",
    'base_url: must not be the address of a metadata server',
  ],
])('refuses %s', (_, row, message) => {
  const loaded = parseConfig({ text: `providers:\n  - ${row}\n`, file: null, environment: {} });
  expect(JSON.stringify('problems' in loaded && loaded.problems)).toContain(message.split(': ')[1]!);
});
