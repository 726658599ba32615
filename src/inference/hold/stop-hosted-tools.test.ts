import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { samplePrincipal } from '../../money/auth/testing/sample-principal.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { createMessagesDialect } from '../../translation/protocols/messages/create-messages-dialect.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import { stopHostedTools } from './stop-hosted-tools.ts';

const messagesDialect = createMessagesDialect();
const own = { name: 'own', input_schema: { type: 'object' } };
const fetchTool = { type: 'web_fetch_20250910', name: 'web_fetch' };

function stopped(fields: object, { hostedToolsStopped = true } = {}) {
  const messages = [{ role: 'user', content: 'hi' }];
  const text = JSON.stringify({ model: 'm', max_tokens: 10, messages, ...fields });
  const body = acceptedOrError(parseBodyAtOnce(text));
  const read = acceptedOrError(messagesDialect.read(body));
  const inference = sampleInference({
    principal: samplePrincipal({ account: { hostedToolsStopped } }),
    dialect: messagesDialect,
    request: { ...read, runsTools: true },
  });
  return stopHostedTools(inference) ?? inference.request;
}
const requestOf = (result: InferenceRequest | Refusal) => acceptedOrError(result);

test('removes the offered hosted tools of an account whose hosted tools are stopped [CRD-49]', () => {
  const { body, losses } = requestOf(stopped({ tools: [fetchTool, own] }));
  expect({ tools: body.value['tools'], losses }).toEqual({ tools: [own], losses: ['opaque-tool'] });
});

test('refuses a request that needs a stopped hosted tool [CRD-49]', () => {
  expect(stopped({ tools: [fetchTool] })).toMatchObject({
    code: 'insufficient_paid_credit',
    message: expect.stringContaining('stopped'),
  });
  const forced = { tools: [fetchTool, own], tool_choice: { type: 'tool', name: 'web_fetch' } };
  expect(stopped(forced)).toMatchObject({ code: 'insufficient_paid_credit' });
});

test('leaves the hosted tools of other accounts', () => {
  expect(
    requestOf(stopped({ tools: [fetchTool, own] }, { hostedToolsStopped: false })).body.value['tools'],
  ).toEqual([fetchTool, own]);
});
