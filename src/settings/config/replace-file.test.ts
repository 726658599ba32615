import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from './replace-file.ts';

test('a file is written as a whole or not at all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'));
  try {
    const file = join(folder, 'secret-key');
    await writeWhole(file, 'first', 0o600);
    await writeWhole(file, 'second', 0o600);
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    mkdirSync(join(folder, 'taken'));
    await expect(writeWhole(join(folder, 'taken'), 'third', 0o600)).rejects.toThrow();
    expect(readdirSync(folder).sort()).toEqual(['secret-key', 'taken']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
