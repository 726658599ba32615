import { afterAll, describe, expect, test } from 'bun:test';
import { bearerEndpoints } from '../support/bearer-endpoints.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1') });
afterAll(server.stop);

test('the version is in the paths of endpoints and in no model id [VER-01]', async () => {
  const headers = bearer(server.firstKey);
  for (const { path, body } of bearerEndpoints) {
    expect((await server.call(path, { headers, body: body('test-plain') })).status).not.toBe(404);
    for (const other of [path.slice(3), path.replace('/v1/', '/v2/'), `/api${path}`])
      expectRefusal(await server.call(other, { headers, body: body('test-plain') }), 404, 'not_found');
  }
  for (const path of ['/models', '/models/test-plain', '/v2/models', '/v1alpha/models'])
    expectRefusal(await server.call(path), 404, 'not_found');
  const { body } = await server.call('/v1/models');
  for (const { id } of body.data) expect((await server.call(`/v1/models/${id}`)).body.id).toBe(id);
});

describe('a retired endpoint', () => {
  const served = ['messages', 'responses', 'chat/completions', 'completions', 'embeddings', 'models'];

  for (const [name, path] of [
    ['answers 410 [VER-05] [VER-06]', '/v1/complete'],
    ['answers 410 for the list of engines [VER-06]', '/v1/engines'],
    ['answers 410 for one engine [VER-06]', '/v1/engines/davinci'],
    ['answers 410 for what an engine did [VER-06]', '/v1/engines/davinci/completions'],
    ['answers 410 for edits [VER-06]', '/v1/edits'],
    ['answers 410 for answers [VER-06]', '/v1/answers'],
    ['answers 410 for classifications [VER-06]', '/v1/classifications'],
    ['answers 410 for search [VER-06]', '/v1/search'],
  ] as const) {
    test(`${name}, and names its replacement`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const headers = method === 'POST' ? bearer(server.firstKey) : {};
        const answer: Json = await server.call(path, {
          method,
          headers,
          ...(method === 'POST' && { body: chatBody('x') }),
        });
        const { message } = expectRefusal(answer, 410, 'endpoint_retired');
        expect(served).toContain(/\/v1\/([a-z/]+)/.exec(message)?.[1] as string);
      }
    });
  }

  test('is not any path that only looks similar', async () => {
    for (const path of ['/v1/completed', '/v1/edits/1', '/v1/search/x', '/v1/enginesx'])
      expectRefusal(await server.call(path), 404, 'not_found');
  });
});
