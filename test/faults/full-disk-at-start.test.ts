import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'tollgate-full-'));
afterAll(() => rmSync(root, { recursive: true }));

const main = join(import.meta.dir, '..', '..', 'src', 'program', 'main.ts');
const serve = `"${process.execPath}" "${main}" serve --port 0 --data "${root}/data"`;

/** Mounting a file system needs rights that not every user has. */
const onSmallDisk = (size: string, command: string) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${size} tmpfs "${root}" && ${command}`,
];
const hasSmallDisk =
  Bun.which('unshare') !== null &&
  Bun.spawnSync(onSmallDisk('64k', 'true'), { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0;

async function runOnSmallDisk(size: string, command: string) {
  const child = Bun.spawn(onSmallDisk(size, command), {
    env: { PATH: process.env.PATH ?? '', TOLLGATE_LOCAL_SERVERS: 'off' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, code: await child.exited };
}

// The smallest disk has no room for the database. The largest has no room for the spool.
for (const size of ['4k', '256k', '1m'])
  test.if(hasSmallDisk)(`a first start on a full disk of ${size} prints the reason in one line`, async () => {
    const { stderr, code } = await runOnSmallDisk(size, `exec ${serve}`);
    expect(stderr).toMatch(
      /^tollgate: [^\n]*(no space left|ENOSPC)[^\n]*(free (some )?space|make room)[^\n]* The server did not start\.\n$/,
    );
    expect(code).toBe(1);
  });

test.if(hasSmallDisk)('starts after a failed first start once the disk has space', async () => {
  const grown = `mount -o remount,size=64m "${root}"`;
  const { stdout } = await runOnSmallDisk('1m', `{ ${serve}; ${grown}; timeout -s INT 10 ${serve}; }`);
  expect(stdout).toContain('"event":"ready"');
});
