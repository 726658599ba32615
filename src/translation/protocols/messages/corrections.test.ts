import { expect, test } from 'bun:test';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { Loss } from '../../canonical/loss.ts';
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

type Role = 'user' | 'assistant' | 'system';

/** Returns the roles of the turns that reach the model. */
function rolesAt(upstreamModel: string, roles: readonly Role[], refusesSystemTurns = false): Role[] {
  const messages = roles.map((role, place) => ({ role, content: `text ${place}` }));
  const text = JSON.stringify({ model: 'asked', max_tokens: 10, system: 'be kind', messages });
  const read = dialect.read(parseBodyAtOnce(text) as JsonBody) as InferenceRequest;
  const patched = dialect.patchRequest(read, upstreamModel, { ...target, upstreamModel, refusesSystemTurns });
  const { body, losses } = patched as { body: string; losses: Loss[] };
  const sent: { role: Role }[] = JSON.parse(body).messages;
  expect(losses.map(({ code }) => code)).toEqual(sent.length < messages.length ? ['system-position'] : []);
  return sent.map(({ role }) => role);
}

test('system messages between turns stay where the model accepts them, since its cache ends before a change', () => {
  const roles: Role[] = ['user', 'system', 'assistant', 'user', 'system'];
  const turns: Role[] = ['user', 'assistant', 'user'];
  for (const model of ['claude-opus-4-8', 'claude-opus-4-8-20260528', 'claude-opus-5', 'claude-opus-5-5'])
    expect(rolesAt(model, roles)).toEqual(roles);
  for (const model of ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-fable-5-1', 'claude-mythos-5'])
    expect(rolesAt(model, roles)).toEqual(roles);
  for (const model of ['claude-opus-4-7', 'claude-opus-4-20250514', 'claude-sonnet-4-6', 'claude-haiku-4-5'])
    expect(rolesAt(model, roles)).toEqual(turns);
  for (const model of ['claude-sonnet-5', 'kimi-k3', 'anthropic.claude-opus-5'])
    expect(rolesAt(model, roles)).toEqual(turns);
  expect(rolesAt('claude-opus-5', roles, true)).toEqual(turns);
});

test('system messages at places that the vendor refuses are moved', () => {
  const turns: Role[] = ['user', 'assistant', 'user'];
  expect(rolesAt('claude-opus-5', ['system', ...turns])).toEqual(turns);
  expect(rolesAt('claude-opus-5', ['user', 'assistant', 'system', 'user'])).toEqual(turns);
  expect(rolesAt('claude-opus-5', ['user', 'system', 'system', 'assistant', 'user'])).toEqual(turns);
});
