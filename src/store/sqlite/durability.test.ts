import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { everyPage } from '../testing/conformance/every-page.ts';
import { heldBy, samplePosting } from '../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { startWriter } from './testing/start-writer.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const KILLS = 8;
const MAX_RUN_MS = 200;

test('keeps every acknowledged change and its audit entry after kill -9 [ADM-37]', async () => {
  const { directory, remove } = temporaryDirectory();
  const random = seededRandom(20_261);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writer = startWriter(directory);
    await writer.started;
    await Bun.sleep(random() * MAX_RUN_MS);
    acknowledged.push(...(await writer.kill()));
  }
  const store = await openSqliteStore({ directory });
  const accounts = (await everyPage((page) => store.listAccounts(page), 10_000)).flat();
  const audit = (await everyPage((page) => store.listAudit(page), 10_000)).flat();
  const stored = new Set(accounts.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(audit.map(({ target }) => target).sort()).toEqual([...stored].sort());
  await store.close();
  remove();
}, 60_000);

test('shows a stored response only after its flush', async () => {
  const { directory, remove } = temporaryDirectory();
  const store = await openSqliteStore({ directory });
  const wanted = { id: 'resp_1', keyId: 'key_1', now: 1 };
  const turn = { model: 'm', input: '[]', output: '[]' };
  const { id, keyId } = wanted;
  const times = { createdAt: 1, expiresAt: 1_000_000 };
  const texts = { envelope: '{}', wholeInput: '[]', previousId: null, itemIds: [] };
  let isSaved = false;
  const saving = store.saveResponse('acct_1', { id, keyId, ...times, ...texts, turn }).then(() => {
    isSaved = true;
  });
  let envelope: string | undefined;
  while (envelope === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    envelope = await store.loadEnvelope(wanted);
  }
  // The write and the read continue after the same flush.
  for (let step = 0; step < 20 && !isSaved; step++) await Promise.resolve();
  expect({ envelope, isSaved }).toEqual({ envelope: '{}', isSaved: true });
  await saving;
  await store.close();
  remove();
});

test('a crash charges no written hold whose request has ended without a charge', async () => {
  const running = temporaryDirectory();
  const crashed = temporaryDirectory();
  const store = await openSqliteStore({ directory: running.directory });
  const hold = await heldBy(store.ledger);
  await store.ledger.checkpoint([{ posting: samplePosting(hold, 100), produced: true }]);
  await store.ledger.void(hold);
  cpSync(running.directory, crashed.directory, { recursive: true });
  const next = await openSqliteStore({ directory: crashed.directory });
  expect(await next.ledger.recoverHolds()).toEqual({ billed: 0, voided: 0 });
  await Promise.all([store.close(), next.close()]);
  running.remove();
  crashed.remove();
});
