import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../sqlite/testing/temporary-directory.ts';
import type { ArchivedRow } from './archived-row.ts';
import { SegmentFile } from './segment-file.ts';
import { fileSource } from './segment-source.ts';
import { writeSegment } from './write-segment.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

const row = (number: number): ArchivedRow => ({
  accountId: `acct_${number % 7}`,
  number,
  id: `ent_${number}`,
  previous: Math.max(0, number - 7),
  text: JSON.stringify([`acct_${number % 7}`, number, 'ünïcode\n']),
  hash: `hash-${number}`,
});
const rows = Array.from({ length: 1_500 }, (_, index) => row(index + 1));

async function written(name: string) {
  const path = join(directory, name);
  const facts = await writeSegment(path, rows);
  return { path, facts, file: new SegmentFile(path) };
}

async function rowsOf(file: SegmentFile, accountId: string, before?: number): Promise<ArchivedRow[]> {
  const found: ArchivedRow[] = [];
  for await (const some of file.rowsOf(accountId, before)) found.push(...some);
  return found;
}

test('a segment returns entries by account, newest first, or by id', async () => {
  const { path, facts, file } = await written('whole.zst');
  for (const accountId of ['acct_0', 'acct_3', 'acct_6'])
    expect(await rowsOf(file, accountId)).toEqual(
      rows.filter((each) => each.accountId === accountId).reverse(),
    );
  expect(await rowsOf(file, 'acct_33')).toEqual([]);
  for (const each of rows) expect(await file.find(each.id)).toEqual(each);
  expect(await file.find('ent_none')).toBeUndefined();
  expect(facts).toEqual({ bytes: statSync(path).size, sha256: await file.sha256() });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['whole.zst']);
});

test('a segment returns the entries of an account before a number without reading all frames', async () => {
  const path = join(directory, 'one-account.zst');
  const ofAccount = Array.from({ length: 4_096 }, (_, index) => ({ ...row(index + 1), accountId: 'acct_1' }));
  await writeSegment(path, [...rows.filter(({ accountId }) => accountId === 'acct_0'), ...ofAccount]);
  const file = new SegmentFile(path);
  for (const before of [0, 1, 2, 257, 2_000, 4_096, 4_097, 9_999])
    expect(await rowsOf(file, 'acct_1', before)).toEqual(
      ofAccount.filter(({ number }) => number < before).reverse(),
    );
  expect(await rowsOf(file, 'acct_00', 5)).toEqual([]);
  const source = fileSource(path);
  let reads = 0;
  const counted = new SegmentFile({
    ...source,
    async open() {
      const file = await source.open();
      return {
        ...file,
        read(at, length) {
          reads++;
          return file.read(at, length);
        },
        close: () => file.close(),
      };
    },
  });
  for await (const [newest] of counted.rowsOf('acct_1', 300)) {
    expect(newest!.number).toBe(299);
    break;
  }
  // The trailer, the directory, five frames of the search, and the frame of the entry.
  expect(reads).toBeLessThan(10);
});

test('a Zstandard decoder without knowledge of the format reads the entries as JSON lines', async () => {
  const { path } = await written('lines.zst');
  const lines = Bun.zstdDecompressSync(readFileSync(path)).toString().trimEnd().split('\n');
  expect(lines.length).toBe(rows.length);
  expect(JSON.parse(lines[0]!)).toEqual(['acct_0', 7, 'ent_7', 0, row(7).text, 'hash-7']);
});

test('a segment that is missing, cut or overwritten is reported as damaged', async () => {
  const { path, facts, file } = await written('damaged.zst');
  const bytes = readFileSync(path);
  bytes.fill(0, 100, 200);
  writeFileSync(path, bytes);
  expect(await file.sha256()).not.toBe(facts.sha256);
  await expect(rowsOf(file, 'acct_0')).rejects.toThrow('damaged.zst is missing or damaged');
  truncateSync(path, 5_000);
  await expect(new SegmentFile(path).find('ent_1')).rejects.toThrow('is missing or damaged');
  await expect(new SegmentFile(`${path}.none`).find('ent_1')).rejects.toThrow('is missing or damaged');
});
