import { afterAll, expect, test } from 'bun:test';
import { expectRefusal } from '../support/expect-refusal.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { openStream, restOf } from './faulty-gateway.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

test('a revoked key is refused at once except for its streams under way, which are billed', async () => {
  const { key, id, account } = await server.createKey('pro');
  const slow = answerSlowly();
  upstream.answer('hidden-test-small', slow.answer);
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(server.url, key)));
  await server.admin('DELETE', `/keys/${id}`);
  expectRefusal(await server.chat(key, 'test-small'), 401, 'revoked_api_key');
  slow.release();
  for (const stream of streams) {
    const text = await restOf(stream.body!.getReader());
    expect(text).toContain('two');
    expect(text).toEndWith('data: [DONE]\n\n');
  }
  expect(await usageEntries(server, account)).toHaveLength(5);
});
