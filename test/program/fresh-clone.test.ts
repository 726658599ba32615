import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { bearer, call, chatBody } from '../support/call.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { waitFor } from '../support/wait-for.ts';

/** npm installs packages from its cache if it has them, else from the registry. */
const TIMEOUT_MS = 300_000;
const root = join(import.meta.dir, '..', '..');
const listing = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
});
const clone = mkdtempSync(join(tmpdir(), 'tollgate-clone-'));
// A busy disk deletes the packages slowly.
afterAll(() => rm(clone, { recursive: true, force: true }), TIMEOUT_MS);

/** Git lists the files that belong to the project. */
const files = listing.success ? listing.stdout.toString().split('\0').filter(Boolean) : [];
if (files.length === 0) console.log('not started: the tests of a fresh clone need git, and a clone to copy');

const DEVELOPMENT = Object.keys(packageFile.devDependencies);

function spawnNpm(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn(['npm', ...args], {
    cwd: clone,
    env: { PATH, HOME },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  endWithUs(child);
  return child;
}

test.skipIf(files.length === 0)(
  'npm start in a fresh clone installs dependencies without development packages and serves with the embedded store and the simulator [ADM-01]',
  async () => {
    for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(clone, file));
    const modules = join(clone, 'node_modules');
    expect(existsSync(modules)).toBe(false);
    const npm = spawnNpm('start', '--', '--port', '0'); // the usual one may be taken
    const read = (name: string): string => {
      const path = join(clone, 'data', name);
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    };
    await waitFor(() => npm.exitCode !== null || read('address') !== '', TIMEOUT_MS - 30_000);
    const url = read('address');
    const { status, text } = await call(`${url}/v1/chat/completions`, {
      headers: bearer(read('first-key')),
      body: chatBody('gpt-4.1'),
    });
    expect(status).toBe(200);
    expect(text).toEqual(expect.stringContaining('[simulated]'));
    expect(existsSync(join(clone, 'data', 'tollgate.db'))).toBe(true);
    expect(DEVELOPMENT.filter((name) => existsSync(join(modules, name)))).toEqual([]);
    npm.kill('SIGINT'); // spares the notice of SIGTERM
    await npm.exited;
  },
  TIMEOUT_MS,
);

test.skipIf(files.length === 0)(
  'npm test in a clone installs missing dependencies, runs the tests and ends with a line that counts them [ADM-04]',
  async () => {
    // The test before this one has installed what a start needs.
    const modules = join(clone, 'node_modules');
    rmSync(join(modules, '.package-lock.json'));
    rmSync(join(modules, 'yaml'), { recursive: true });
    const npm = spawnNpm('test', '--', 'src/base/lib');
    const output = await npm.stdout.text();
    expect(output.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
    expect(await npm.exited).toBe(0);
    expect(existsSync(join(modules, 'yaml'))).toBe(true);
    expect(DEVELOPMENT.filter((name) => !existsSync(join(modules, name)))).toEqual([]);
  },
  TIMEOUT_MS,
);
