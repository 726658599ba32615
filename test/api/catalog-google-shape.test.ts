import { afterAll, expect, test } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1') });
afterAll(server.stop);

const ask = (path: string) =>
  server.call(path, { headers: { 'x-goog-api-client': 'google-genai-sdk/3.3.0' } });

test("with the header of Google's clients, `/v1/models` answers like `/v1beta/models`", async () => {
  for (const path of ['models?pageSize=1', 'models/@svc/test-small']) {
    const [newer, older] = await Promise.all([ask(`/v1/${path}`), ask(`/v1beta/${path}`)]);
    expect([newer.status, newer.body]).toEqual([200, older.body]);
    // The address has another answer for other clients, which proxies keep.
    expect(newer.headers.get('vary')).toContain('x-goog-api-client');
  }
  expect((await ask('/v1/models')).body).not.toHaveProperty('data');
  expect(await ask('/v1/models/none')).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_model' } },
  });
});
