import { expect, test } from 'bun:test';
import { problemsOf } from './testing/config-of.ts';

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
  [
    'forms that AWS would have to sign',
    '{ id: one, wires: [openai-chat, openai-audio], aws: { region: eu-west-1 } }',
    'aws: cannot be combined with the wire openai-audio',
  ],
])('refuses %s', (_, row, message) => {
  expect(problemsOf(`providers:\n  - ${row}\n`).join()).toContain(message);
});
