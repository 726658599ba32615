import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import type { Json } from '../support/call.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';

// Data directories of earlier releases, and of a later one.

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);

const fixtures = join(import.meta.dir, '..', 'fixtures', 'data-directories');
const releases = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort(Bun.semver.order);

/** Unpacks the data directory of a release. */
function unpack(release: string, name = release): string {
  const directory = join(place, name);
  mkdirSync(directory, { mode: 0o700 });
  for (const file of readdirSync(join(fixtures, release)).filter((each) => each.endsWith('.gz'))) {
    const bytes = gunzipSync(readFileSync(join(fixtures, release, file)));
    writeFileSync(join(directory, file.slice(0, -'.gz'.length)), bytes, { mode: 0o600 });
  }
  return directory;
}

test('there is a data directory of the current release', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, '..', '..', 'package.json'), 'utf8'));
  expect(releases).toContain(version);
});

for (const release of releases)
  test(`a data directory of ${release} starts with its accounts, keys, credits and entries`, async () => {
    const directory = unpack(release);
    const { accounts } = JSON.parse(readFileSync(join(fixtures, release, 'expected.json'), 'utf8'));
    const verified = await runProgram(['ledger', 'verify', '--data', directory]);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
    const server = await startServer({ dataDirectory: directory });
    try {
      expect(accounts.length).toBeGreaterThan(0);
      for (const { id, key, purchased_credits, entries } of accounts) {
        expect((await server.admin('GET', `/accounts/${id}`)).body).toMatchObject({ id, purchased_credits });
        const { data } = (await server.admin('GET', `/accounts/${id}/ledger?limit=100`)).body;
        // Cycles that began since have entries of their own.
        const kept = data.filter((entry: Json) => entries.some((each: Json) => each.id === entry.id));
        expect(kept).toMatchObject(entries);
        expect((await server.chat(key, '@svc/gpt-oss-20b')).status).toBe(200);
      }
      expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
    } finally {
      await server.stop();
    }
  });

/** Makes a data directory that a later release has migrated. */
function newerDirectory(name: string): string {
  const directory = unpack(releases.at(-1)!, name);
  const database = new Database(join(directory, 'tollgate.db'));
  database.run(
    `INSERT INTO migration (number, name, checksum, applied_at) VALUES (9999, 'of-a-later-release', 'x', 0)`,
  );
  database.close();
  return directory;
}

test('an older program refuses the directory of a newer one in one line without changing it', async () => {
  const directory = newerDirectory('newer');
  const before = readFileSync(join(directory, 'tollgate.db'));
  for (const command of ['serve', 'ledger verify']) {
    const options = command === 'serve' ? ['--port', '0'] : [];
    const { code, stderr } = await runProgram([...command.split(' '), ...options, '--data', directory]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(
      /has schema 9999, but this version supports schemas up to \d+: run the newer version/,
    );
  }
  expect(readFileSync(join(directory, 'tollgate.db')).equals(before)).toBe(true);
});

const schemaOf = (directory: string): unknown => {
  using database = new Database(join(directory, 'tollgate.db'), { readonly: true });
  return database.query<{ number: number }, []>('SELECT MAX(number) AS number FROM migration').get()?.number;
};

test('a rollback is a restore of the backup from before the upgrade, which keeps the schema of the oldest release', async () => {
  const directory = unpack(releases[0]!, 'before');
  const schema = schemaOf(directory);
  const backup = join(place, 'backup');
  expect((await runProgram(['backup', backup, '--data', directory])).code).toBe(0);
  expect(schemaOf(directory)).toEqual(schema);
  expect(schemaOf(backup)).toEqual(schema);
  const server = await startServer({ dataDirectory: directory });
  await server.stop();
  const facts = `"from":${schema},"to":${schemaOf(directory)},"duration_ms":`;
  expect(server.log()).toMatch(new RegExp(`"event":"migrated".*${facts}\\d+`));
  expect(schemaOf(directory)).toBeGreaterThan(schema as number);
  expect(schemaOf(backup)).toBe(schema);
  const restored = join(place, 'rolled-back');
  expect((await runProgram(['restore', backup, '--data', restored])).code).toBe(0);
  expect((await runProgram(['ledger', 'verify', '--data', restored])).code).toBe(0);
  // A second start has nothing to migrate, and a new directory neither.
  for (const dataDirectory of [directory, join(place, 'new')]) {
    const again = await startServer({ dataDirectory });
    await again.stop();
    expect(again.log()).not.toContain('"migrated"');
  }
});

test('a backup of a newer release is refused by an older program', async () => {
  const upgraded = newerDirectory('upgraded');
  expect((await runProgram(['ledger', 'verify', '--data', upgraded])).code).toBe(1);
  expect((await runProgram(['backup', join(place, 'of-newer'), '--data', upgraded])).code).toBe(0);
  const refused = await runProgram(['restore', join(place, 'of-newer'), '--data', join(place, 'no')]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('run the newer version') });
});
