import { afterAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../support/call.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const backup = (dataDirectory: string, file: string, ...options: string[]) =>
  runProgram(['backup', file, '--data', dataDirectory, ...options]);

/** A data directory with nothing but the copy. */
function restore(file: string, name: string): string {
  const restored = join(directory, name);
  mkdirSync(restored);
  copyFileSync(file, join(restored, 'tollgate.db'));
  return restored;
}

describe('bin/tollgate backup', () => {
  test('copies the store of a running server, and a server on the copy has its accounts and charges', async () => {
    const file = join(directory, 'running.db');
    const server = await startServer();
    const { account, key } = await server.createKey('pro');
    expect((await server.chat(key, 'gpt-4.1')).status).toBe(200);
    const charges = async ({ admin }: TestServer) =>
      (await admin('GET', `/accounts/${account}/ledger`)).body.data.map(({ id, hash }: Json) => [id, hash]);
    const before = await charges(server);
    expect(await backup(server.dataDirectory, file)).toMatchObject({
      code: 0,
      stdout: `${file}\n`,
      stderr: '',
    });
    expect((await server.chat(key, 'gpt-4.1')).status).toBe(200);
    await server.stop();

    const copy = await startServer({ dataDirectory: restore(file, 'restored') });
    expect(await charges(copy)).toEqual(before);
    expect((await copy.chat(key, 'gpt-4.1')).status).toBe(200);
    await copy.stop();
  });

  test('copies the store of a stopped server, readable by its owner alone, and verification finds no fault', async () => {
    const dataDirectory = join(directory, 'stopped');
    const file = join(directory, 'stopped.db');
    const server = await startServer({ dataDirectory });
    await server.chat(server.firstKey, 'gpt-4.1');
    await server.stop();
    const { code, stdout } = await backup(dataDirectory, file, '--json');
    const { mode, size } = statSync(file);
    expect([code, JSON.parse(stdout), mode & 0o777]).toEqual([0, { file, bytes: size }, 0o600]);
    const verified = await runProgram(['ledger', 'verify', '--data', restore(file, 'verified')]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  });

  test('replaces no file, and leaves none behind when there is nothing to copy', async () => {
    const taken = join(directory, 'taken.db');
    writeFileSync(taken, 'kept');
    const other = join(directory, 'damaged');
    mkdirSync(other);
    expect((await backup(other, join(directory, 'none.db'))).stderr).toContain('does not exist');
    writeFileSync(
      join(other, 'tollgate.db'),
      'this is no database, and long enough to be read as one'.repeat(20),
    );
    expect(await backup(other, taken)).toMatchObject({
      code: 1,
      stderr: `tollgate: ${taken} already exists.\n`,
    });
    expect((await backup(other, join(directory, 'none.db'))).code).toBe(1);
    expect(existsSync(join(directory, 'none.db'))).toBe(false);
  });
});
