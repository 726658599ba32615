import { afterAll, beforeEach, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);
const { key } = await server.createKey('enterprise');

const chatEndpoints: Record<string, (model: string) => object> = {
  '/v1/chat/completions': chatBody,
  '/v1/messages': (model) => ({ ...chatBody(model), max_tokens: 10 }),
  '/v1/responses': (model) => ({ model, input: 'hello' }),
};
const generating: Record<string, (model: string) => object> = {
  ...chatEndpoints,
  '/v1/messages/count_tokens': chatBody,
  '/v1/completions': (model) => ({ model, prompt: 'hello' }),
  '/v1/embeddings': (model) => ({ model, input: 'hello' }),
};
const ask = (path: string, body: object, headers = bearer(key)): Promise<Answer> =>
  server.call(path, { headers, body });

for (const [path, bodyOf] of Object.entries(chatEndpoints)) {
  test(`resolves a vendor's model name to its catalog model on ${path} [RES-06]`, async () => {
    const answer = await ask(path, bodyOf('gpt-stock'));
    expect({ status: answer.status, model: answer.body.model }).toEqual({ status: 200, model: 'gpt-stock' });
    expect(upstream.models()).toEqual(['hidden-test-small']);
  });
}

for (const [path, bodyOf] of Object.entries(generating)) {
  test(`returns 404 for an unknown model on ${path} [RES-08]`, async () => {
    for (const model of ['nothing', 'test-smal', '@svc/', 'hidden-test-small']) {
      const answer = await ask(path, bodyOf(model));
      if (path.startsWith('/v1/messages'))
        expect(expectMessagesError(answer, 404, ['invalid_request_error', 'unknown_model'])).toMatch(
          /^model: /,
        );
      else expectRefusal(answer, 404, 'unknown_model', 'model');
    }
    expect(upstream.requests).toEqual([]);
  });
}

test('takes the key from either header for token counts and the pay-as-you-go catalog [AUT-30]', async () => {
  const payg = { 'x-svc-payment-mode': 'payg' };
  for (const headers of [bearer(key), { 'x-api-key': key }] as Record<string, string>[]) {
    const count = await ask(
      '/v1/messages/count_tokens',
      chatBody('test-plain'),
      headers as { authorization: string },
    );
    expect(count.status).toBe(200);
    for (const path of ['/v1/models', '/v1/models/test-plain'])
      expect((await server.call(path, { headers: { ...headers, ...payg } })).status).toBe(200);
  }
  for (const headers of [bearer('no'), { 'x-api-key': 'no' }] as Record<string, string>[]) {
    const count = await ask(
      '/v1/messages/count_tokens',
      chatBody('test-plain'),
      headers as { authorization: string },
    );
    expect(count).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    const list = await server.call('/v1/models', { headers: { ...headers, ...payg } });
    expect(list).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
  }
});
