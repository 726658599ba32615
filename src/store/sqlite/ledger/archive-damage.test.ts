import { afterAll, beforeEach, expect, test } from 'bun:test';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { SegmentFile } from '../../archive/segment-file.ts';
import { writeSegment } from '../../archive/write-segment.ts';
import { heldBy, sampleEntry, samplePosting, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);

let tests = 0;
let store: SqliteStore;
let directory = '';

/** Makes two accounts with six archived entries, and one entry of each that is not archived. */
beforeEach(async () => {
  directory = join(place, `data-${tests++}`);
  store = await openSqliteStore({ directory });
  const { ledger } = store;
  for (let number = 0; number < 3; number++)
    for (const accountId of ['acct_1', 'acct_2']) {
      const hold = await heldBy(ledger, { requestId: `req_${accountId}_${number}`, accountId });
      await ledger.post(samplePosting(hold, 10));
    }
  for (const accountId of ['acct_1', 'acct_2'])
    await ledger.give(sampleEntry({ id: `ent_last_${accountId}`, accountId, at: sampleTime + 1 }));
  expect(await ledger.archiveEntries({ before: sampleTime + 1 })).toMatchObject({ entries: 6 });
});

const segment = (): string => join(directory, 'archive', readdirSync(join(directory, 'archive'))[0]!);

async function rewrite(change: (rows: ArchivedRow[]) => ArchivedRow[]): Promise<void> {
  const rows: ArchivedRow[] = [];
  for await (const some of new SegmentFile(segment()).blocks()) rows.push(...some);
  await writeSegment(segment(), change(rows.sort((one, other) => one.number - other.number)));
}

const faults = async (): Promise<string[]> =>
  (await verifyLedger(store.ledger)).faults.map(({ accountId, what }) => `${accountId}: ${what}`);

async function reopen(): Promise<void> {
  await store.close();
  store = await openSqliteStore({ directory });
}

test('verification finds an archived charge that was changed in a file that is whole in itself', async () => {
  await rewrite((rows) =>
    rows.map((row) => (row.number === 3 ? { ...row, text: row.text.replace('10', '11') } : row)),
  );
  for (let starts = 0; starts < 2; starts++) {
    const found = (await faults()).join('\n');
    expect(found).toMatch(/acct_1: hash of entry ent_acct_1_1.*null: content of entries-0/s);
    expect(found).not.toContain('acct_2');
    await reopen();
  }
  await store.close();
});

test('verification finds a removed archived entry', async () => {
  await rewrite((rows) => rows.filter(({ number }) => number !== 3));
  await reopen();
  expect((await faults()).join('\n')).toMatch(/acct_1: previous number of entry ent_acct_1_2/);
  await store.close();
});

test('without its file, archived entries are unavailable, all others are served, and a returned file is used', async () => {
  const away = join(place, 'away.zst');
  const path = segment();
  renameSync(path, away);
  await reopen();
  expect((await faults()).join('\n')).toMatch(/acct_1: file entries-0.*null: content of entries-0/s);
  const { ledger } = store;
  await expect(ledger.findEntry('ent_acct_1_0')).rejects.toThrow('is missing or damaged');
  expect((await ledger.findEntry('ent_last_acct_1'))?.sequence).toBe(4);
  await expect(
    ledger.repairAccount({ accountId: 'acct_1', keepsBalances: false, at: sampleTime }),
  ).rejects.toThrow('is missing or damaged');
  renameSync(away, path);
  await reopen();
  expect(await faults()).toEqual([]);
  await store.close();
});

test('a repair reads the archived entries too', async () => {
  await store.writer.write((connection) => {
    connection.run(`UPDATE bucket SET used = 0 WHERE account_id = 'acct_1'`);
    connection.run(`DELETE FROM account_head WHERE account_id = 'acct_1'`);
    connection.run(`UPDATE entry SET previous = 0 WHERE id = 'ent_last_acct_1'`);
  });
  await reopen();
  expect(await faults()).not.toEqual([]);
  const repaired = await store.ledger.repairAccount({
    accountId: 'acct_1',
    keepsBalances: false,
    at: sampleTime,
  });
  expect(repaired).toMatchObject({ entries: 4 });
  expect(await faults()).toEqual([]);
  await store.close();
});

test('an archive that cannot write its file leaves its entries to the next one', async () => {
  const folder = join(directory, 'archive');
  const away = join(directory, 'away');
  renameSync(folder, away);
  writeFileSync(folder, 'no folder');
  await expect(store.ledger.archiveEntries({ before: sampleTime + 2 })).rejects.toThrow(
    'cannot be written (',
  );
  rmSync(folder);
  renameSync(away, folder);
  expect((await faults()).length).toBe(0);
  expect(await store.ledger.archiveEntries({ before: sampleTime + 2 })).toMatchObject({ entries: 2 });
  expect(await faults()).toEqual([]);
  await store.close();
});

test('an unrecorded file with entries that the table does not have is kept', async () => {
  const other = join(directory, 'archive', 'entries-000000000001-000000000099.zst');
  await writeSegment(other, [{ ...(await rowOf('ent_acct_1_0')), number: 99 }]);
  await store.ledger.archiveEntries({ before: sampleTime + 1 });
  expect(readdirSync(join(directory, 'archive'))).toHaveLength(2);
  rmSync(other);
  await store.close();
});

async function rowOf(id: string): Promise<ArchivedRow> {
  return (await new SegmentFile(segment()).find(id))!;
}
