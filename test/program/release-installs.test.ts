import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveName } from '../../scripts/release/pack-archive.ts';
import { ownPlatform, platforms } from '../../scripts/release/platforms.ts';
import { verifyRelease } from '../../src/program/cli/verify-release.ts';
import { addLibraries, addNode, type BareRoot, canMakeBareRoot, makeBareRoot } from '../support/bare-root.ts';
import { bearer, call, chatBody } from '../support/call.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { isLong } from '../support/is-long.ts';
import { hasRepository, openWorkshop, type Workshop } from '../support/test-release.ts';
import { waitFor } from '../support/wait-for.ts';

/** Two releases with four archives each. */
const TIMEOUT_MS = 900_000;
/**
 * The target is a minute on a machine that does nothing else. A busy machine may take longer, so the test
 * prints the time.
 */
const FIRST_ANSWER_MS = 600_000;

const isRun = isLong && hasRepository && canMakeBareRoot && ownPlatform !== undefined;
if (isLong && !isRun)
  console.log('not run: the tests of installed releases need git, Linux, root and `unshare --mount`');

describe.skipIf(!isRun)('a whole release', () => {
  let workshop: Workshop;
  let folder: string;
  beforeAll(() => {
    workshop = openWorkshop();
    folder = workshop.make('first', platforms);
  }, TIMEOUT_MS);
  afterAll(() => workshop.remove());

  const roots: BareRoot[] = [];
  afterAll(() => {
    for (const { remove } of roots) remove();
  });

  /**
   * Makes a root that has the runtime's libraries. With them it is a machine on which the program can run.
   */
  function openRoot(): BareRoot {
    const opened = makeBareRoot([]);
    roots.push(opened);
    addLibraries(opened.path, realpathSync(process.execPath));
    return opened;
  }

  function bring(opened: BareRoot, ...names: string[]): void {
    for (const name of names) copyFileSync(join(folder, name), join(opened.path, 'release', name));
  }

  /** Starts a command that serves in /release, and returns the time until the first answer. */
  async function firstAnswer(opened: BareRoot, ...command: string[]): Promise<number> {
    const from = performance.now();
    const child = opened.spawn(command, '/release');
    endWithUs(child);
    const read = (name: string): string => {
      const path = join(opened.path, 'release/data', name);
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    };
    await waitFor(() => child.exitCode !== null || read('address') !== '', FIRST_ANSWER_MS);
    if (child.exitCode !== null) throw new Error(await child.stderr.text());
    const answer = await call(`${read('address')}/v1/chat/completions`, {
      headers: bearer(read('first-key')),
      body: chatBody('gpt-4.1'),
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toEqual(expect.stringContaining('[simulated]'));
    const duration = performance.now() - from;
    child.kill('SIGKILL');
    await child.exited;
    return duration;
  }

  async function runInRoot(opened: BareRoot, ...command: string[]) {
    const child = opened.spawn(command, '/root');
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, stdout, stderr };
  }

  test(
    'is equal byte for byte to a second one, with all archives',
    () => {
      const second = workshop.make('second', platforms);
      expect(readdirSync(folder).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(
        platforms.length + 1,
      );
      for (const name of readdirSync(folder))
        expect({
          name,
          result: readFileSync(join(second, name)).equals(readFileSync(join(folder, name))),
        }).toEqual({ name, result: true });
    },
    TIMEOUT_MS,
  );

  test(
    'is verified file by file, and a changed byte in any archive is refused',
    async () => {
      for (const { name: platform } of platforms) {
        const file = join(folder, archiveName(workshop.version, platform));
        await verifyRelease(file, workshop.key.publicKey);
        const bytes = readFileSync(file);
        bytes[bytes.length - 9]! ^= 1;
        writeFileSync(file, bytes);
        await expect(verifyRelease(file, workshop.key.publicKey)).rejects.toThrow('has the checksum');
        bytes[bytes.length - 9]! ^= 1;
        writeFileSync(file, bytes);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'the package answers its first request on a machine with Node alone',
    async () => {
      const opened = openRoot();
      addNode(opened.path);
      const name = `tollgate-${workshop.version}.tgz`;
      bring(opened, name);
      const duration = await firstAnswer(opened, 'npx', '--yes', `./${name}`, 'serve', '--port', '0');
      console.log(`npx: first answer after ${(duration / 1_000).toFixed(1)} s`);
    },
    TIMEOUT_MS,
  );

  test(
    'install.sh installs the archive on a machine without Node, and the program serves and verifies',
    async () => {
      const opened = openRoot();
      const archive = archiveName(workshop.version, ownPlatform!.name);
      bring(opened, 'install.sh', archive, 'SHA256SUMS', 'SHA256SUMS.sig');
      const installed = await runInRoot(opened, 'sh', '/release/install.sh');
      expect(installed).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`is installed in /opt/tollgate/${workshop.version}`),
      });
      const duration = await firstAnswer(opened, 'tollgate', 'serve', '--port', '0');
      console.log(`install.sh: first answer ${(duration / 1_000).toFixed(1)} s after the start`);
      expect(await runInRoot(opened, 'tollgate', 'verify-release', `/release/${archive}`)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(workshop.key.publicKey),
      });
      // A second installation replaces the first one.
      expect((await runInRoot(opened, 'sh', '/release/install.sh')).code).toBe(0);
      expect(readdirSync(join(opened.path, 'opt/tollgate'))).toEqual([workshop.version]);
    },
    TIMEOUT_MS,
  );

  test(
    'install.sh refuses a changed archive, a missing one, and unknown options',
    async () => {
      const opened = openRoot();
      const archive = archiveName(workshop.version, ownPlatform!.name);
      bring(opened, 'install.sh');
      expect(await runInRoot(opened, 'sh', '/release/install.sh')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`there is no ${archive} in /release`),
      });
      bring(opened, archive);
      const path = join(opened.path, 'release', archive);
      const bytes = readFileSync(path);
      bytes[100]! ^= 1;
      writeFileSync(path, bytes);
      expect(
        await runInRoot(opened, 'sh', '/release/install.sh', '--prefix', '/root/tollgate'),
      ).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('nothing was installed'),
      });
      expect(readdirSync(join(opened.path, 'root/tollgate'))).toEqual([]);
      expect((await runInRoot(opened, 'sh', '/release/install.sh', '--what')).code).toBe(2);
    },
    TIMEOUT_MS,
  );
});
