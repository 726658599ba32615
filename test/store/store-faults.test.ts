import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
afterAll(upstream.stop);
const config = sampleConfig(upstream.url);

describe('a store that fails', async () => {
  const server = await startServer({ config });
  afterAll(server.stop);
  const { key } = await server.createKey('pro');
  const database = join(server.dataDirectory, 'tollgate.db');

  test('makes the server not ready, but still healthy [ADM-16]', async () => {
    expect((await server.call('/readyz')).status).toBe(200);
    renameSync(database, `${database}.away`);
    const { status, body } = await server.call('/readyz');
    expect(status).toBe(503);
    expect(body.status).toBe('not-ready');
    expect((await server.call('/healthz')).status).toBe(200);
    renameSync(`${database}.away`, database);
    expect((await server.call('/readyz')).status).toBe(200);
  });

  test('refuses admin changes with 503 that names the probe, and logs one line each', async () => {
    const elsewhere = `${server.dataDirectory}.away`;
    const before = (await server.admin('GET', '/accounts')).body.data.length;
    renameSync(server.dataDirectory, elsewhere);
    const answer = await server.admin('POST', '/accounts', { name: 'x', plan: 'free' });
    expectUnavailable(answer);
    renameSync(elsewhere, server.dataDirectory);
    expect((await server.admin('GET', '/accounts')).body.data.length).toBe(before);
    const line = await lineOf('unavailable', answer);
    expect(line.problem).toContain('no longer at its path');
    expect(line).not.toHaveProperty('stack');
  });

  test('ends a stream that cannot be recorded with an error in place of its end, and logs the reason', async () => {
    const asker = await server.createKey('pro');
    const { answer, release } = answerSlowly();
    upstream.answer('hidden-test-plain', answer);
    const stream = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      headers: bearer(asker.key),
      body: JSON.stringify({ model: 'test-plain', input: 'hi', stream: true }),
    });
    const elsewhere = `${server.dataDirectory}.away`;
    renameSync(server.dataDirectory, elsewhere);
    release();
    const events = dataOf(await stream.text());
    renameSync(elsewhere, server.dataDirectory);
    upstream.answer('hidden-test-plain', answerWell);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    const [error, failed] = events.slice(-2);
    expect(error).toMatchObject({ type: 'error', code: 'capacity_unavailable' });
    expect(failed.response).toMatchObject({ status: 'failed', output: [{ type: 'message' }] });
    expect((await lineOf('unavailable', stream)).problem).toContain('no longer at its path');
  });

  test('refuses unknown keys with 503, without a reason', async () => {
    for (const name of readdirSync(server.dataDirectory).filter((each) => each.startsWith('tollgate.db'))) {
      const path = join(server.dataDirectory, name);
      writeFileSync(path, Buffer.alloc(statSync(path).size, 0x5a));
    }
    const answers = [
      await server.chat(key, 'test-plain'),
      await server.call('/v1/models', { headers: bearer(key) }),
      await server.admin('GET', '/accounts'),
      await server.admin('POST', '/accounts', { name: 'x', plan: 'free' }),
    ];
    for (const answer of answers) {
      expectUnavailable(answer);
      expect((await lineOf('unavailable', answer)).problem).toContain('not an intact database');
    }
    expect(server.log()).not.toContain('unexpected-failure');
  });

  function expectUnavailable(answer: Answer): void {
    const { message } = expectRefusal(answer, 503, 'capacity_unavailable');
    expect(message).toBe(
      'The server cannot use its store right now; see its /readyz endpoint for the reason.',
    );
  }

  async function lineOf(event: string, { headers }: Pick<Answer, 'headers'>): Promise<Json> {
    const start = `"event":"${event}","request_id":"${headers.get('x-svc-request-id')}"`;
    const find = () =>
      server
        .log()
        .split('\n')
        .find((line) => line.includes(start));
    await waitFor(() => find() !== undefined);
    return JSON.parse(find()!);
  }

  test('does not affect the public catalog', async () => {
    expect((await server.call('/v1/models')).status).toBe(200);
  });
});

test('a draining server is not ready, and closes connections after their answer [ADM-16]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.answer('hidden-test-plain', async (request) => {
    await promise;
    return answerWell(request);
  });
  const server = await startServer({ config });
  const answer = server.chat(server.firstKey, 'test-plain');
  await waitFor(() => upstream.models().includes('hidden-test-plain'));
  expect((await server.call('/readyz')).status).toBe(200);
  server.signal('SIGTERM');
  const isReady = () =>
    server.call('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor(async () => !(await isReady()));
  resolve();
  const { status, headers } = await answer;
  expect({ status, connection: headers.get('connection') }).toEqual({ status: 200, connection: 'close' });
  expect(await server.exited).toBe(0);
  await server.stop();
});
