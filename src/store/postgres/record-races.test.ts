import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { commonRecords } from '../common-records.ts';
import { ProviderDrains } from '../provider-drains.ts';
import { sampleAccount, sampleAudit, sampleKey, sampleToken } from '../testing/conformance/sample-records.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { Database } from './database.ts';
import { PostgresQueries } from './postgres-queries.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

/** Two nodes on one database. */
const nodes = () =>
  databases.map((database) => ({
    accounts: commonRecords(new PostgresQueries(database)),
    tokens: commonRecords(new PostgresQueries(database)),
  }));

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 4 }), new Database({ url, maxConnections: 4 })];
afterAll(() => Promise.all(databases.map((database) => database.close())));

const ROUNDS = Array.from({ length: 10 }, (_, round) => round);

test('one of two nodes creates an admin token of a name', async () => {
  for (const round of ROUNDS) {
    const names = [`ci-${round}`, `CI-${round}`];
    const outcomes = await Promise.all(
      nodes().map(({ tokens }, index) =>
        tokens.createToken(sampleToken({ name: names[index]! }), sampleAudit()),
      ),
    );
    expect(outcomes.sort()).toEqual(['conflict', 'saved']);
  }
});

test('one of two nodes changes a version of an account, of a key and of an admin token', async () => {
  const [first] = nodes();
  const account = sampleAccount();
  const key = sampleKey(account.id);
  const token = sampleToken();
  await first!.accounts.createAccount(account, sampleAudit());
  await first!.accounts.createKey(key, sampleAudit());
  await first!.tokens.createToken(token, sampleAudit());
  for (const round of ROUNDS) {
    const version = round + 1;
    const races = [
      nodes().map(({ accounts }, index) =>
        accounts.saveAccount({ ...account, version, name: `${index}` }, sampleAudit()),
      ),
      nodes().map(({ accounts }, index) =>
        accounts.saveKey({ ...key, version, hash: `${round} ${index}` }, sampleAudit()),
      ),
      nodes().map(({ tokens }, index) =>
        tokens.saveToken({ ...token, version, hash: `${round} ${index}` }, sampleAudit()),
      ),
    ];
    for (const race of races) expect((await Promise.all(race)).sort()).toEqual(['conflict', 'saved']);
  }
  const replaced = await databases[0]!.all('SELECT hash FROM replaced_secret WHERE key_id = $1', [key.id]);
  expect(replaced.length).toBe(ROUNDS.length);
});

test('nodes that create keys at the same time do not pass the bound of an account together', async () => {
  const account = sampleAccount();
  await nodes()[0]!.accounts.createAccount(account, sampleAudit());
  const creations = nodes().flatMap(({ accounts }) =>
    Array.from({ length: 6 }, () =>
      accounts.createKey(sampleKey(account.id), sampleAudit(), { limit: 5, now: 1 }),
    ),
  );
  const outcomes = await Promise.all(creations);
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5);
  expect(await nodes()[1]!.accounts.listKeys(account.id)).toHaveLength(5);
});

test('every change that is made is announced to the other nodes', async () => {
  const [first] = nodes();
  const account = sampleAccount();
  const key = sampleKey(account.id);
  const token = sampleToken();
  await first!.accounts.createAccount(account, sampleAudit());
  await first!.accounts.createKey(key, sampleAudit());
  await first!.accounts.saveKey({ ...key, revokedAt: 1 }, sampleAudit());
  await first!.accounts.saveKey({ ...key, revokedAt: 2 }, sampleAudit());
  await first!.accounts.saveAccount(account, sampleAudit());
  await first!.tokens.createToken(token, sampleAudit());
  await first!.tokens.saveToken({ ...token, revokedAt: 1 }, sampleAudit());
  const rows = await databases[1]!.all(
    'SELECT kind, subject FROM change WHERE subject = ANY($1) ORDER BY id',
    [[account.id, key.id, token.id]],
  );
  expect(rows.map(({ kind, subject }) => `${kind}:${subject}`)).toEqual([
    `account:${account.id}`,
    `key:${key.id}`,
    `key:${key.id}`,
    `account:${account.id}`,
    `token:${token.id}`,
    `token:${token.id}`,
  ]);
});

test('a drain and its end are each announced once', async () => {
  const drains = new ProviderDrains(new PostgresQueries(databases[0]!));
  for (const since of [1, 2, null, null]) await drains.setDrained('vendor', since);
  const changes = await databases[1]!.all(`SELECT subject FROM change WHERE kind = 'drain'`);
  expect(changes.map(({ subject }) => subject)).toEqual(['vendor', 'vendor']);
});

test('audit entries become visible in the order of their numbers', async () => {
  const entry = sampleAudit({ action: 'slow' });
  const [one, other] = databases;
  const commit = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const slow = one!.transaction(async (queries) => {
    await commonRecords(new PostgresQueries(queries)).recordAudit(entry);
    started.resolve();
    await commit.promise;
  });
  await started.promise;
  const fast = commonRecords(new PostgresQueries(other!)).recordAudit(sampleAudit({ action: 'fast' }));
  const blocked = async () =>
    (await other!.first(`SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))?.n;
  await waitFor(async () => (await blocked()) !== 0);
  commit.resolve();
  await Promise.all([slow, fast]);
  const { items } = await commonRecords(new PostgresQueries(other!)).listAudit({ limit: 2 });
  expect(items.map(({ action }) => action)).toEqual(['fast', 'slow']);
});

test('an audit entry does not wait while the usage is summed', async () => {
  const [one, other] = databases;
  await one!.transaction(async (queries) => {
    await queries.all('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rollUpUsage]);
    const { recordAudit } = commonRecords(new PostgresQueries(other!));
    await recordAudit(sampleAudit({ action: 'during-a-roll-up' }));
  });
  const { items } = await commonRecords(new PostgresQueries(other!)).listAudit({ limit: 1 });
  expect(items[0]?.action).toBe('during-a-roll-up');
});
