import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import type { Json } from '../support/call.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);

const MODEL = '@svc/gpt-oss-20b';
const dataDirectory = join(place, 'data');
const underLoad = join(place, 'under-load');
const run = (...args: string[]) => runProgram(args);
const inData = (data: string) => ['--data', data];

const modesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => [
      name,
      (statSync(join(directory, name)).mode & 0o777).toString(8),
    ]),
  );

/** Ids and hashes of an account's entries, oldest first. */
async function chargesOf({ admin }: TestServer, account: string): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await admin('GET', `/accounts/${account}/ledger?limit=100${after && `&after=${after}`}`);
    found.push(...body.data.map(({ id, hash }: Json) => `${id} ${hash}`));
    if (!body.has_more) return found.reverse();
    after = body.data.at(-1).id;
  }
}

const customer = { account: '', key: '', before: [] as string[], after: [] as string[] };

/** Backs up a server that is charging, with an archive, and stops it. */
beforeAll(async () => {
  const server = await startServer({ dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
  try {
    Object.assign(customer, await server.createKey('enterprise'));
    await server.chat(customer.key, MODEL);
    await server.admin('POST', '/test/clock', { advance_s: 32 * 86_400 });
    const month = new Date(Date.now() + 32 * 86_400_000).toISOString().slice(0, 7);
    const archived = await server.admin('POST', '/ledger/archive', { before: month });
    expect(archived.body).toMatchObject({ before: month, entries: 1, segments: 1 });
    customer.before = await chargesOf(server, customer.account);
    let isOver = false;
    const client = async () => {
      while (!isOver) expect((await server.chat(customer.key, MODEL)).status).toBe(200);
    };
    const clients = [client(), client(), client()];
    const backup = run('backup', underLoad, ...inData(dataDirectory)).finally(() => {
      isOver = true;
    });
    const [{ code, stdout, stderr }] = await Promise.all([backup, ...clients]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${underLoad}\n`, stderr: '' });
    customer.after = await chargesOf(server, customer.account);
  } finally {
    await server.stop();
  }
}, 120_000);

describe('a backup of a server under load', () => {
  test('has the admin token, the first key, the spool and the archive, and only its owner can read it', () => {
    const { version, schema, files } = JSON.parse(readFileSync(join(underLoad, 'manifest.json'), 'utf8'));
    expect({ version, schema }).toEqual({ version: expect.any(String), schema: expect.any(Number) });
    const segment = readdirSync(join(dataDirectory, 'archive'))[0]!;
    const names = ['settlements.spool', 'admin-token', 'first-key', 'tollgate.db', `archive/${segment}`];
    expect(files.map(({ name }: Json) => name)).toEqual(names);
    expect((statSync(underLoad).mode & 0o777).toString(8)).toBe('700');
    expect(modesIn(underLoad)).toEqual({
      ...Object.fromEntries(['manifest.json', ...names].map((name) => [name, '600'])),
      archive: '700',
    });
    for (const name of ['admin-token', 'first-key'])
      expect(readFileSync(join(underLoad, name), 'utf8')).toBe(
        readFileSync(join(dataDirectory, name), 'utf8'),
      );
    expect(readdirSync(place)).not.toContainEqual(expect.stringContaining('.partial'));
  });

  test('is restored with every charge from before it began, and the restored ledger has no fault', async () => {
    const restored = join(place, 'restored');
    const { code, stdout, stderr } = await run('restore', underLoad, ...inData(restored), '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ directory: restored, accounts: 1, faults: 0, waiting: 0 });
    expect(modesIn(restored)).toMatchObject({ 'tollgate.db': '600', 'admin-token': '600', archive: '700' });
    expect(existsSync(join(restored, '.restore'))).toBe(false);
    const verified = await run('ledger', 'verify', ...inData(restored));
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });

    const server = await startServer({ dataDirectory: restored });
    try {
      const charges = await chargesOf(server, customer.account);
      expect(charges.slice(0, customer.before.length)).toEqual(customer.before);
      expect(customer.after.slice(0, charges.length)).toEqual(charges);
      expect(server.adminToken).toBe(readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim());
      expect((await server.chat(customer.key, MODEL)).status).toBe(200);
      const archivedId = charges[0]!.split(' ')[0]!;
      expect((await server.admin('GET', `/ledger/entries/${archivedId}`)).body.id).toBe(archivedId);
      const again = await run('restore', underLoad, ...inData(restored));
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Another server is running') });
    } finally {
      await server.stop();
    }
    const again = await run('restore', underLoad, ...inData(restored));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  });
});

describe('bin/tollgate backup', () => {
  test('keeps a settlement that is only in the spool, and the next start posts it once', async () => {
    const source = join(place, 'spooled');
    const data = join(place, 'spooled-restored');
    cpSync(dataDirectory, source, { recursive: true });
    const crc = (text: string) => Bun.hash.crc32(text).toString(16).padStart(8, '0');
    const posting = JSON.stringify(spooledPosting(customer.account));
    const line = `{"crc":"${crc(posting)}","id":"req_spooled","posting":${posting}}\n`;
    writeFileSync(join(source, 'settlements.spool'), line + '\0'.repeat(1_000));
    expect((await run('backup', join(place, 'with-spool'), ...inData(source))).code).toBe(0);
    const { stdout } = await run('restore', join(place, 'with-spool'), ...inData(data), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ waiting: 1 });
    for (let starts = 0; starts < 2; starts++) {
      const server = await startServer({ dataDirectory: data });
      try {
        const charges = await chargesOf(server, customer.account);
        expect(charges.filter((charge) => charge.startsWith('ent_spooled '))).toHaveLength(1);
      } finally {
        await server.stop();
      }
    }
  });

  test('neither replaces files nor leaves any behind if it fails', async () => {
    const taken = join(place, 'taken');
    mkdirSync(taken);
    writeFileSync(join(taken, 'kept'), 'kept');
    const other = join(place, 'damaged');
    mkdirSync(other);
    const none = join(place, 'none');
    expect((await run('backup', none, ...inData(other))).stderr).toContain('does not exist');
    expect(await run('backup', taken, ...inData(dataDirectory))).toMatchObject({
      code: 1,
      stderr: `tollgate: ${taken} is not empty: choose a new or an empty directory.\n`,
    });
    writeFileSync(
      join(other, 'tollgate.db'),
      'this is no database, and long enough to be read as one'.repeat(20),
    );
    expect((await run('backup', none, ...inData(other))).code).toBe(1);
    expect(readdirSync(place).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});

describe('bin/tollgate restore', () => {
  const expectRefusal = async (source: string, reason: string, ...options: string[]) => {
    const data = join(place, 'refused');
    const { code, stdout, stderr } = await run('restore', source, ...inData(data), ...options);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(reason),
    });
    expect(existsSync(data)).toBe(false);
  };

  function changedCopy(name: string, change: (directory: string) => void): string {
    const directory = join(place, name);
    cpSync(underLoad, directory, { recursive: true });
    change(directory);
    return directory;
  }

  test('refuses an incomplete or changed backup without creating a data directory', async () => {
    await expectRefusal(place, 'manifest.json is missing or is not a list of files');
    await expectRefusal(
      changedCopy('appended', (directory) => appendFileSync(join(directory, 'tollgate.db'), 'x')),
      'tollgate.db is missing or differs from the manifest',
    );
    await expectRefusal(
      changedCopy('removed', (directory) => rmSync(join(directory, 'archive'), { recursive: true })),
      'is missing or differs from the manifest',
    );
    await expectRefusal(
      changedCopy('outside', (directory) =>
        rewriteManifest(directory, ({ files }) => (files[0].name = '../outside')),
      ),
      'is not a list of files',
    );
    expect(existsSync(join(place, 'outside', '..', '..', 'outside'))).toBe(false);
  });

  test('refuses a ledger with faults unless they are accepted, and leaves an empty directory empty', async () => {
    const faulty = changedCopy('faulty', (directory) => {
      const database = new Database(join(directory, 'tollgate.db'));
      database.run('UPDATE bucket SET used = used + 1');
      database.close();
      rewriteManifest(directory, ({ files }) => {
        const bytes = readFileSync(join(directory, 'tollgate.db'));
        const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
        Object.assign(
          files.find(({ name }: Json) => name === 'tollgate.db'),
          { bytes: bytes.length, sha256 },
        );
      });
    });
    await expectRefusal(
      faulty,
      ' faults: restore an older backup, or accept the faults with --accept-faults.',
    );
    const data = join(place, 'empty');
    mkdirSync(data);
    expect((await run('restore', faulty, ...inData(data))).code).toBe(1);
    expect(readdirSync(data)).toEqual([]);
    const accepted = await run('restore', faulty, ...inData(data), '--accept-faults');
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringMatching(/, [1-9] faults\n$/) });
  });

  test('no server starts on a directory whose restore was interrupted', async () => {
    const data = join(place, 'interrupted');
    mkdirSync(join(data, '.restore'), { recursive: true });
    const served = await run('serve', '--port', '0', ...inData(data));
    expect(served).toMatchObject({ code: 1, stderr: expect.stringContaining('was interrupted') });
    const restored = await run('restore', underLoad, ...inData(data));
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('was interrupted') });
  });
});

function rewriteManifest(directory: string, change: (manifest: Json) => void): void {
  const path = join(directory, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

/** A charge that the database could not take. */
const spooledPosting = (accountId: string): Json => ({
  hold: {
    order: {
      requestId: 'req_spooled',
      accountId,
      keyId: 'key_1',
      pays: 'purchased',
      keyCapMicrocredits: null,
      period: { id: 'purchased', startedAt: 0, endsAt: null, limitMicrocredits: 0 },
      worst: null,
      tokensPerDay: null,
      at: Date.now(),
    },
    microcredits: 0,
  },
  costMicrocredits: 10,
  receipt: {
    keyId: 'key_1',
    requestId: 'req_spooled',
    model: MODEL,
    servedModel: MODEL,
    tokens: { input: 7, cachedInput: 0, cacheWriteInput: 0, output: 3, reasoning: 0 },
    rates: { input: 1_000_000, cachedInput: 1_000_000, output: 1_000_000 },
    heldMicrocredits: 0,
    attempts: 1,
    tried: [],
    outcome: 'complete',
    isEstimated: false,
  },
});
