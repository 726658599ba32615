import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer } from '../support/call.ts';
import { dropDatabaseOf } from '../support/postgres/database-of.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { signInAsOperator, signInWithPassword } from './sign-in.ts';

test('the last use of a key, even for a refused request, survives a restart', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-last-use-'));
  const open = () => startServer({ config: sampleConfig('http://127.0.0.1:9'), dataDirectory });
  const first = await open();
  const owner = await signInAsOperator(first);
  const account: string = (await owner.call('/session')).body.organizations[0].id;
  const createKey = async () => (await owner.call(`/organizations/${account}/keys`, { body: {} })).body;
  const used = await createKey();
  const refused = await createKey();
  const unused = await createKey();
  await first.call('/v1/usage', { headers: bearer(used.secret) });
  const wrong = await first.call('/v1/chat/completions', { headers: bearer(refused.secret), body: {} });
  expect(wrong.status).toBe(400);
  expect(await first.stop()).toBe(0);
  const second = await open();
  const again = await signInWithPassword(second, owner.email);
  const lastUse = async ({ key }: typeof used): Promise<string | null> =>
    (await again.call(`/organizations/${account}/keys/${key.id}`)).body.last_used_at;
  expect(await lastUse(used)).toBeString();
  expect(await lastUse(refused)).toBeString();
  expect(await lastUse(unused)).toBeNull();
  const listed = (await second.admin('GET', `/accounts/${account}/keys`)).body.data;
  const listedUse = (id: string) => listed.find((one: { id: string }) => one.id === id).last_used_at;
  expect(listedUse(used.key.id)).toBe(await lastUse(used));
  expect(listedUse(unused.key.id)).toBeNull();
  await second.stop();
  await dropDatabaseOf(dataDirectory);
  rmSync(dataDirectory, { recursive: true });
});
