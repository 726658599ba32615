import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateFiles } from './state-files.ts';

let directory: string;
let files: StateFiles;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-state-'));
  files = new StateFiles(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Calls a method in a process whose files cannot grow, and returns the reason of its failure. */
async function reasonOnFullDisk(method: 'write' | 'create'): Promise<string> {
  const program = `
    import { StateFiles } from ${JSON.stringify(join(import.meta.dir, 'state-files.ts'))};
    process.on('SIGXFSZ', () => {});
    const files = new StateFiles(${JSON.stringify(directory)});
    await files.${method}('admin-token', 'new').catch(({ message }) => console.log(message));
  `;
  const child = Bun.spawn(['sh', '-c', 'ulimit -f 0 && exec "$0" -e "$1"', process.execPath, program], {
    env: { PATH: process.env.PATH ?? '' },
    stdout: 'pipe',
  });
  return child.stdout.text();
}

test('a file is written with its last content, which only its owner can read', async () => {
  await files.write('admin-token', 'first');
  await files.write('admin-token', 'second');
  expect(files.read('admin-token')).toBe('second');
  expect(statSync(files.path('admin-token')).mode & 0o777).toBe(0o600);
});

test('one of several writers creates the file', async () => {
  const offers = ['one', 'two', 'three'];
  const created = await Promise.all(offers.map((offer) => files.create('admin-token', offer)));
  expect(offers.filter((_, index) => created[index])).toEqual([files.read('admin-token')!]);
  expect(readdirSync(directory)).toEqual(['admin-token']);
});

test('a write on a full disk keeps the former content', async () => {
  await files.write('admin-token', 'former');
  expect(await reasonOnFullDisk('write')).toContain('admin-token cannot be used (EFBIG)');
  expect(files.read('admin-token')).toBe('former');
  expect(readdirSync(directory)).toEqual(['admin-token']);
});

test('a file that cannot be created on a full disk does not exist', async () => {
  expect(await reasonOnFullDisk('create')).toContain('admin-token cannot be used (EFBIG)');
  expect(readdirSync(directory)).toEqual([]);
});
