import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { copyFile } from './copy-file.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

test('a failed copy names both files and what to check', async () => {
  const from = join(directory, 'tollgate.db');
  writeFileSync(from, 'content');
  const to = join(directory, 'missing', 'tollgate.db');
  const error = await copyFile(from, to).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Unavailable);
  expect((error as Unavailable).message).toContain(`${from} cannot be copied to ${to} (ENOENT)`);
});
