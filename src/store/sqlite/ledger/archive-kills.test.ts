import { afterAll, expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shareOf } from '../../../../test/support/share-of.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { sampleEntry, samplePeriod, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

// The process is killed at every step of an archive.

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);
const pristine = join(place, 'pristine');
/** More than one group of rows is deleted, and a file has more than one frame. */
const OLD = 600;
const NEW = 5;
const BEFORE = sampleTime + 1;

const filled = await openSqliteStore({ directory: pristine });
await Promise.all(
  Array.from({ length: OLD + NEW }, (_, number) =>
    filled.ledger.give(
      sampleEntry({
        id: `ent_${number}`,
        accountId: `acct_${number % 3}`,
        at: number < OLD ? sampleTime : BEFORE,
        microcredits: number + 1,
      }),
    ),
  ),
);
await filled.close();

async function factsOf(directory: string) {
  const { ledger, close } = await opened(directory);
  const found = [];
  for (let number = 0; number < OLD + NEW; number++)
    found.push((await ledger.findEntry(`ent_${number}`))?.hash);
  const pages = [];
  for (const accountId of ['acct_0', 'acct_1', 'acct_2'])
    pages.push((await ledger.listEntries({ accountId, limit: 1_000 }))!.items.map(({ id }) => id));
  const balances = ['acct_0', 'acct_1'].map((accountId) => ledger.balances(accountId, samplePeriod()));
  const verified = await verifyLedger(ledger);
  await close();
  return { found, pages, balances, verified };
}

async function opened(directory: string) {
  const store = await openSqliteStore({ directory });
  return { store, ledger: store.ledger, close: () => store.close() };
}

async function archive(directory: string, step: string): Promise<number | NodeJS.Signals | null> {
  const script = join(import.meta.dir, 'testing/archive-until-killed.ts');
  const child = Bun.spawn([process.execPath, script, directory, String(BEFORE), step], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await child.exited;
  return child.signalCode ?? child.exitCode;
}

const rowsIn = async (directory: string): Promise<number> => {
  const { store, close } = await opened(directory);
  const row = await store.read((connection) => connection.first('SELECT count(*) AS rows FROM entry'));
  await close();
  return Number(row?.rows);
};

const expected = await factsOf(pristine);

const steps = [
  'before the first block',
  'in the middle of the file',
  'before the flush',
  'after the flush',
  'before the new name',
  'after the new name',
  'before the record',
  'before the record is on disk',
  'after the record is on disk',
  'before the first rows are deleted',
  'after some rows are deleted',
];

for (const [index, step] of shareOf([...steps.entries()], { turn: 0, of: 2 }))
  test(`a kill ${step} loses nothing, and the next archive completes it`, async () => {
    const directory = join(place, `killed-${index}`);
    cpSync(pristine, directory, { recursive: true });
    expect(await archive(directory, step)).toBe('SIGKILL');
    expect(await factsOf(directory)).toEqual(expected);
    const { ledger, close } = await opened(directory);
    await ledger.archiveEntries({ before: BEFORE });
    await close();
    expect(readdirSync(join(directory, 'archive'))).toEqual(['entries-000000000001-000000000600.zst']);
    expect(await rowsIn(directory)).toBe(NEW);
    expect(await factsOf(directory)).toEqual(expected);
  });
