import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../sqlite/testing/temporary-directory.ts';
import { StoreProblem } from '../store-problem.ts';
import { sampleOrder, samplePosting } from '../testing/conformance/sample-ledger.ts';
import { FileSpool } from './file-spool.ts';
import { formatSpoolLine } from './spool-lines.ts';

let place: TemporaryDirectory;
let path: string;
let opened: FileSpool[];
beforeEach(() => {
  opened = [];
  place = temporaryDirectory();
  path = join(place.directory, 'settlements.spool');
});
afterEach(async () => {
  await Promise.all(opened.map((spool) => spool.close().catch(() => {})));
  place.remove();
});

const postingOf = (requestId: string): Posting =>
  samplePosting({ order: sampleOrder({ requestId }), microcredits: 5 }, 7);
const [one, two, three] = ['req_one', 'req_two', 'req_three'].map(postingOf) as [Posting, Posting, Posting];
const idsIn = (spool: FileSpool) => [...spool.waiting.keys()];
const open = async () => {
  const found = await FileSpool.open(place.directory);
  opened.push(found.spool);
  return found;
};

/** Opens the spool like a process that starts after another one was killed. */
async function left(): Promise<FileSpool> {
  const { spool, damaged } = await open();
  expect(damaged).toBe(0);
  return spool;
}

/** Lets the file of the spool fail at one call of a method. */
async function failOnce(method: 'write' | 'datasync') {
  const handle = await openFile(path);
  const failing = spyOn(Object.getPrototypeOf(handle), method);
  await handle.close();
  failing.mockRejectedValueOnce(Object.assign(new Error('no'), { code: 'EIO' }));
  return failing;
}

test('keeps acknowledged postings unchanged over a restart', async () => {
  const { spool } = await open();
  await Promise.all([one, two].map((posting) => spool.append(posting)));
  await spool.append(three);
  const after = await left();
  expect([...after.waiting.values()]).toEqual([one, two, three].map((posting) => structuredClone(posting)));
});

test('each line is JSON with a checksum and its request id', async () => {
  const { crc, id, posting } = JSON.parse(formatSpoolLine(one));
  expect({ crc, id, costMicrocredits: posting.costMicrocredits }).toEqual({
    crc: expect.stringMatching(/^[0-9a-f]{8}$/),
    id: 'req_one',
    costMicrocredits: 7,
  });
});

test('reuses the space of postings that are in the store', async () => {
  const { spool } = await open();
  await spool.append(one);
  await spool.append(two);
  await spool.remove(['req_one']);
  // The store skips the first one, which it already has.
  expect(idsIn(await left())).toEqual(['req_one', 'req_two']);
  await spool.remove(['req_two']);
  expect(idsIn(await left())).toEqual([]);
  await spool.append(three);
  expect(idsIn(await left())).toEqual(['req_three']);
});

test('reserves disk space in advance, in a file for the owner only', async () => {
  const { spool } = await open();
  await spool.append(one);
  const { size, mode } = statSync(path);
  expect(size).toEqual(4 * 1024 * 1024);
  expect(mode & 0o777).toBe(0o600);
});

test('ignores a line that a crash cut off at any length, since it was not acknowledged', async () => {
  const whole = formatSpoolLine(one);
  const cut = formatSpoolLine(two);
  for (let length = 0; length < cut.length; length += 7) {
    writeFileSync(path, whole + cut.slice(0, length));
    const spool = await left();
    expect(idsIn(spool)).toEqual(['req_one']);
    await spool.append(three);
    const { spool: again } = await open();
    expect(idsIn(again)).toEqual(['req_one', 'req_three']);
  }
});

test('a damaged line is reported and kept in a copy, and the other lines are read', async () => {
  const text = [one, two, three]
    .map(formatSpoolLine)
    .join('')
    .replace('"req_two","accountId"', '"req_2wo","accountId"');
  writeFileSync(path, text);
  const { spool, damaged } = await open();
  expect(idsIn(spool)).toEqual(['req_one', 'req_three']);
  expect(damaged).toBe(1);
  const copies = readdirSync(place.directory).filter((name) => name.includes('.damaged-'));
  expect(copies.map((name) => readFileSync(join(place.directory, name), 'utf8'))).toEqual([text]);
});

test('the lines behind a line with zero bytes are read', async () => {
  writeFileSync(
    path,
    [one, two, three].map(formatSpoolLine).join('').replace('"req_two","accountId"', '\0'.repeat(9)),
  );
  const { spool, damaged } = await open();
  expect({ waiting: idsIn(spool), damaged }).toEqual({ waiting: ['req_one', 'req_three'], damaged: 1 });
});

test('the rest of a line behind a wipe that a crash cut off is not reported', async () => {
  const text = [one, two].map(formatSpoolLine).join('');
  writeFileSync(path, '\0'.repeat(50) + text.slice(50));
  const { spool, damaged } = await open();
  expect({ waiting: idsIn(spool), damaged }).toEqual({ waiting: ['req_two'], damaged: 0 });
});

test('damaged lines at the end are reported and kept in a copy', async () => {
  const text = [one, two, three]
    .map(formatSpoolLine)
    .join('')
    .replaceAll('"costMicrocredits":7', '"costMicrocredits":8');
  writeFileSync(path, text);
  const { spool, damaged } = await open();
  expect({ waiting: idsIn(spool), damaged }).toEqual({ waiting: [], damaged: 3 });
  const copies = readdirSync(place.directory).filter((name) => name.includes('.damaged-'));
  expect(copies.map((name) => readFileSync(join(place.directory, name), 'utf8'))).toEqual([text]);
});

test('a posting that could not be flushed is not found by the next start', async () => {
  const { spool } = await open();
  await spool.append(one);
  const flush = await failOnce('datasync');
  await expect(spool.append(two)).rejects.toThrow('cannot be written (EIO)');
  flush.mockRestore();
  await spool.close();
  expect(idsIn(await left())).toEqual(['req_one']);
});

for (const method of ['write', 'datasync'] as const)
  test(`a posting after a wipe whose ${method} failed is found by the next start`, async () => {
    const { spool } = await open();
    await spool.append(one);
    await spool.append(two);
    const failing = await failOnce(method);
    await expect(spool.remove(['req_one', 'req_two'])).rejects.toThrow('no');
    failing.mockRestore();
    await spool.append(three);
    expect(idsIn(await left())).toEqual(['req_three']);
    await spool.remove(['req_three']);
    expect(idsIn(await left())).toEqual([]);
  });

test('a spool that is no longer at its path refuses postings, and resumes when it is back', async () => {
  const { spool } = await open();
  renameSync(path, `${path}.away`);
  const problem = await spool.append(one).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(StoreProblem);
  expect((problem as StoreProblem).message).toContain('no longer at its path');
  expect(idsIn(spool)).toEqual([]);
  renameSync(`${path}.away`, path);
  await spool.append(two);
  expect(idsIn(await left())).toEqual(['req_two']);
});
