import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { sampleEntry, samplePeriod, sampleTime } from '../../store/testing/conformance/sample-ledger.ts';
import { backUp } from './back-up.ts';
import { restoreBackup } from './restore-backup.ts';

// Backups of a ledger that is being archived, and of one whose archive was killed.

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);

const OLD = 1_200;
const BEFORE = sampleTime + 1;
const pristine = join(place, 'pristine');

const filled = await openSqliteStore({ directory: pristine });
await Promise.all(
  Array.from({ length: OLD + 3 }, (_, number) =>
    filled.ledger.give(
      sampleEntry({
        id: `ent_${number}`,
        accountId: `acct_${number % 3}`,
        microcredits: number + 1,
        at: number < OLD ? sampleTime : BEFORE,
      }),
    ),
  ),
);
await filled.close();

async function factsOf(directory: string) {
  const store = await openSqliteStore({ directory });
  const { ledger } = store;
  const pages = [];
  for (const accountId of ['acct_0', 'acct_1', 'acct_2']) {
    const page = await ledger.listEntries({ accountId, limit: OLD });
    pages.push([ledger.balances(accountId, samplePeriod()), page!.items.map(({ hash }) => hash)]);
  }
  const verified = await verifyLedger(ledger);
  await store.close();
  return { pages, verified };
}

const expected = await factsOf(pristine);
const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
let copies = 0;

/** Returns the content of a restored backup of the directory. */
async function throughBackup(source: string) {
  const backup = join(place, `backup-${copies}`);
  const restored = join(place, `restored-${copies++}`);
  await backUp({ source, target: backup, version: '1.0.0', now: 0 });
  const { verified } = await restoreBackup({ source: backup, target: restored, acceptsFaults: false });
  expect(verified).toEqual(expected.verified);
  expect(existsSync(join(restored, '.restore'))).toBe(false);
  return { facts: await factsOf(restored), archived: filesIn(join(restored, 'archive')) };
}

test('backups during an archive lose nothing', async () => {
  const source = join(place, 'online');
  cpSync(pristine, source, { recursive: true });
  const store = await openSqliteStore({ directory: source });
  let isOver = false;
  const archived = store.ledger.archiveEntries({ before: BEFORE }).finally(() => {
    isOver = true;
  });
  const backups: string[] = [];
  while (!isOver) {
    const target = join(place, `during-${backups.length}`);
    await backUp({ source, target, version: '1.0.0', now: 0 });
    backups.push(target);
  }
  expect(await archived).toMatchObject({ entries: OLD });
  for (const [index, backup] of backups.entries()) {
    const target = join(place, `from-during-${index}`);
    await restoreBackup({ source: backup, target, acceptsFaults: false });
    expect(await factsOf(target)).toEqual(expected);
  }
  expect((await throughBackup(source)).facts).toEqual(expected);
  await store.close();
});

for (const [step, files] of [
  ['after the new name', 0],
  ['after the record is on disk', 1],
  ['after some rows are deleted', 1],
] as const)
  test(`a backup after a kill ${step} loses nothing`, async () => {
    const source = join(place, step);
    cpSync(pristine, source, { recursive: true });
    const script = join(import.meta.dir, '../../store/sqlite/ledger/testing/archive-until-killed.ts');
    const child = Bun.spawn([process.execPath, script, source, String(BEFORE), step], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
    const { facts, archived } = await throughBackup(source);
    expect(facts).toEqual(expected);
    expect(archived).toHaveLength(files);
  });

test('a backup that is interrupted leaves no part of a copy', async () => {
  const source = join(place, 'held');
  const target = join(place, 'interrupted');
  cpSync(pristine, source, { recursive: true });
  // A pipe without a writer holds the copy up.
  rmSync(join(source, 'settlements.spool'), { force: true });
  expect(Bun.spawnSync(['mkfifo', join(source, 'settlements.spool')]).success).toBe(true);
  const script = `
    import { existsSync } from 'node:fs';
    import { backUp } from ${JSON.stringify(join(import.meta.dir, 'back-up.ts'))};
    const target = ${JSON.stringify(target)};
    void backUp({ source: ${JSON.stringify(source)}, target, version: '1', now: 0 });
    setInterval(() => existsSync(target + '.partial-' + process.pid) && process.exit(130), 1);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  expect(await child.exited).toBe(130);
  expect(readdirSync(place).filter((name) => name.startsWith('interrupted'))).toEqual([]);
});
