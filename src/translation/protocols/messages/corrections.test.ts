import { expect, test } from 'bun:test';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createMessagesDialect } from './create-messages-dialect.ts';

const dialect = createMessagesDialect();
const target = { upstreamModel: 'hidden', reasoning: false, reasoningEfforts: [] };

function sent(result: JsonObject): string {
  const call = { type: 'tool_use', id: 'call_1', name: 'find', input: {} };
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', ...result }] },
  ];
  const text = JSON.stringify({ model: 'hidden', max_tokens: 10, messages });
  const read = dialect.read(parseBodyAtOnce(text) as JsonBody) as InferenceRequest;
  const patched = dialect.patchRequest(read, 'hidden', target) as { body: string };
  expect(JSON.parse(patched.body).messages).toHaveLength(3);
  return patched.body === text ? 'as it is' : JSON.stringify(JSON.parse(patched.body).messages[2].content);
}

test('an error of a tool without content gets one, since the vendor refuses it', () => {
  const filled = [
    {
      type: 'tool_result',
      tool_use_id: 'call_1',
      content: [{ type: 'text', text: '(empty)' }],
      is_error: true,
    },
  ];
  for (const content of [undefined, '', [], [{ type: 'text', text: '' }]])
    expect(JSON.parse(sent({ content, is_error: true }))).toEqual(filled);
  expect(sent({ content: '' })).toBe('as it is');
  expect(sent({ content: 'none', is_error: true })).toBe('as it is');
});
