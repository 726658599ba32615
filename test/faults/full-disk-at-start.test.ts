import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackDirectory } from '../upgrades/support/kept-release.ts';

const root = mkdtempSync(join(tmpdir(), 'tollgate-full-'));
/** The small disks lie over the root. */
const scripts = mkdtempSync(join(tmpdir(), 'tollgate-full-'));
afterAll(() => {
  for (const folder of [root, scripts]) rmSync(folder, { recursive: true });
});

const main = join(import.meta.dir, '..', '..', 'src', 'program', 'main.ts');
const serve = `"${process.execPath}" "${main}" serve --port 0 --data "${root}/data"`;
const untilReady = `${serve} > "${root}/log" & until grep -qs ready "${root}/log"; do sleep 0.1; done`;

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

/** Sends a request with the first key of the data directory. */
const ask = `
  const file = (name) => Bun.file('${root}/data/' + name).text().then((text) => text.trim());
  const answer = await fetch((await file('address')) + '/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + (await file('first-key')) },
    body: JSON.stringify({ model: '@svc/gpt-oss-120b', messages: [{ role: 'user', content: 'hi' }] }),
  });
  console.log('answered', answer.status);
`;

test.if(hasSmallDisk)('a start after a crash on a full disk prints the reason in one line', async () => {
  await Bun.write(join(scripts, 'ask.ts'), ask);
  const lines = [
    untilReady,
    `"${process.execPath}" "${scripts}/ask.ts"`,
    // A process that still ends frees space after the disk was filled.
    'kill -9 $!; wait $! 2> /dev/null',
    `dd if=/dev/zero of="${root}/fill" bs=4k 2> /dev/null`,
    `exec ${serve}`,
  ];
  const { stdout, stderr, code } = await runOnSmallDisk('24m', `{ ${lines.join('\n')}\n}`);
  expect(stdout).toBe('answered 200\n');
  expect(stderr).toMatch(/^tollgate: [^\n]*no space left[^\n]* The server did not start\.\n$/);
  expect(code).toBe(1);
});

test.if(hasSmallDisk)(
  'an upgrade on a full disk prints the reason in one line, and goes on later',
  async () => {
    unpackDirectory('0.2.0', join(scripts, 'earlier'));
    const lines = [
      `cp -r "${scripts}/earlier" "${root}/data"`,
      `dd if=/dev/zero of="${root}/fill" bs=4k 2> /dev/null`,
      `${serve}; echo "ended with $?"`,
      `rm "${root}/fill"`,
      `exec "${process.execPath}" "${main}" ledger verify --data "${root}/data"`,
    ];
    const { stdout, stderr, code } = await runOnSmallDisk('24m', `{ ${lines.join('\n')}\n}`);
    expect(stderr).toMatch(/^tollgate: [^\n]*no space left[^\n]* The server did not start\.\n$/);
    expect(stdout).toMatch(/^ended with 1\n.*: all balances match the entries\.\n$/);
    expect(code).toBe(0);
  },
);

test.if(hasSmallDisk)('starts after a failed first start once the disk has space', async () => {
  const grown = `mount -o remount,size=64m "${root}"`;
  const { stdout, code } = await runOnSmallDisk(
    '1m',
    `{ ${serve}; ${grown}; ${untilReady}; kill $!; wait $!; }`,
  );
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
});
