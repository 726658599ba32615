import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { bearer, chatBody } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

const server = await startServer({
  config: { catalog: { default: false, models: [ableModel('any', [simulated('openai-chat')])] } },
  preload: join(import.meta.dir, '..', 'support', 'break-authentication.ts'),
});
afterAll(server.stop);
const { key } = await server.createKey('enterprise');

const endpoints = [
  { path: '/v1/messages', body: messagesBody('any') },
  { path: '/v1/messages/count_tokens', body: messagesBody('any') },
  { path: '/v1/chat/completions', body: chatBody('any') },
  { path: '/v1/completions', body: { model: 'any', prompt: 'hi' } },
  { path: '/v1/responses', body: { model: 'any', input: 'hi' } },
  { path: '/v1/responses/resp_1', body: undefined },
];

for (const { path, body } of endpoints) {
  test(`a bug under ${path} returns a 500 in its own envelope, without internals [ERR-28]`, async () => {
    const headers = { ...bearer(key), 'x-test-fault': 'yes' };
    const answer = await server.call(path, { headers, body });
    if (path.startsWith('/v1/messages')) expectMessagesError(answer, 500, ['api_error', 'internal_error']);
    else expectRefusal(answer, 500, 'internal_error');
    expect(answer.text).not.toContain('a-detail-of-the-inside');
    const id = answer.headers.get('x-svc-request-id')!;
    const lines = () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.includes(id));
    await waitFor(() => lines().some((line) => line.includes('a-detail-of-the-inside')));
    if (body) expect((await server.call(path, { headers: bearer(key), body })).status).toBe(200);
  });
}
