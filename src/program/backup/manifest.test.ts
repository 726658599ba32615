import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { readBackupFiles } from './manifest.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

const file = { bytes: 1, sha256: 'x' };
const readWith = (manifest: unknown) => {
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  return readBackupFiles(directory);
};

test('a manifest names only files of the data directory and of its archive', () => {
  const allowed = ['tollgate.db', 'settlements.spool.damaged-17', 'archive/entries-1-2.zst'];
  const files = allowed.map((name) => ({ name, ...file }));
  expect(readWith({ format: 1, files })).toEqual(files);
  for (const name of ['../x', '/etc/x', 'archive/../../x', 'other/x', '.restore', '..', '', null])
    expect(() => readWith({ format: 1, files: [{ name, ...file }] })).toThrow('is not a list of files');
  for (const manifest of [
    null,
    {},
    { format: 2, files },
    { format: 1, files: {} },
    { format: 1, files: [null] },
  ])
    expect(() => readWith(manifest)).toThrow('is not a list of files');
});
