import { afterAll, expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { systemClock } from '../../base/lib/clock.ts';
import { namesOf } from '../../base/lib/names.ts';
import { TokenService } from '../../customers/operators/token-service.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { createAccounts } from '../../money/accounts/create-accounts.ts';
import { Authenticator } from '../../money/auth/authenticator.ts';
import { builtinPlans, type Plans } from '../../settings/plans/plan.ts';
import { commonRecords } from '../../store/common-records.ts';
import { Database } from '../../store/postgres/database.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import { postgresForTest } from '../../store/postgres/testing/postgres-for-test.ts';
import { followChanges } from './follow-changes.ts';

const plans = Object.fromEntries(builtinPlans.map((plan) => [plan.id, plan])) as Plans;

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 2 }), new Database({ url, maxConnections: 2 })];
afterAll(() => Promise.all(databases.map((database) => database.close())));

/**
 * Starts a node that changes accounts, and a node that serves them and reads the feed when the test asks for
 * it.
 */
function startNodes() {
  const changing = createAccounts({
    store: commonRecords(new PostgresQueries(databases[0]!)),
    clock: systemClock,
    plans: () => plans,
    names: () => namesOf('svc'),
    resolveModelId: () => undefined,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  });
  const authenticator = new Authenticator(commonRecords(new PostgresQueries(databases[1]!)), systemClock);
  const handlers = new Map<string, (subject: string) => void>();
  let closed = () => {};
  const feed = {
    onChange: (kind: string, changed: (subject: string) => void) => void handlers.set(kind, changed),
    onClosed: (callback: () => void) => {
      closed = callback;
    },
  };
  followChanges(feed, {
    authenticator,
    alerts: { followPurchase: async () => {} },
    drains: { follow: () => {} },
    live: { receive: () => {} },
    settings: { load: async () => {} },
    onFailure: () => {},
  });
  let read = 0;
  return {
    changing,
    close: () => closed(),
    async readFeed() {
      const rows = await databases[1]!.all('SELECT id, kind, subject FROM change WHERE id > $1 ORDER BY id', [
        read,
      ]);
      for (const { id, kind, subject } of rows) {
        handlers.get(String(kind))?.(String(subject));
        read = Number(id);
      }
    },
    async ask(secret: string): Promise<string> {
      const headers = { authorization: `Bearer ${secret}` };
      const exchange = {
        request: new Request('http://localhost', { headers }),
        snapshot: { config: { auth: { any_header: false } }, names: { keyPrefix: 'svc_' }, plans },
        notes: {},
      } as unknown as Exchange;
      const answer = await authenticator.authenticate(exchange, 'bearer');
      return answer instanceof Refusal
        ? answer.code
        : `version ${answer.apiKey.version} ${answer.account.version}`;
    },
  };
}

const nameOf = async (asked: Promise<{ name: string } | Refusal>): Promise<string> => {
  const answer = await asked;
  return answer instanceof Refusal ? answer.code : answer.name;
};

async function createKey({ changing }: ReturnType<typeof startNodes>) {
  const account = await changing.create({ name: 'Ada', plan: 'pro' }, 'admin');
  const created = acceptedOrError(await changing.createKey(account.id, {}, 'admin'));
  return { account, ...created };
}

test('a key that another node changes, rotates or revokes is read again', async () => {
  const nodes = startNodes();
  const { apiKey, secret } = await createKey(nodes);
  expect(await nodes.ask(secret)).toBe('version 1 1');
  await nodes.changing.changeKey(apiKey.id, { name: 'laptop' }, 'admin');
  expect(await nodes.ask(secret)).toBe('version 1 1'); // until the feed is read
  await nodes.readFeed();
  expect(await nodes.ask(secret)).toBe('version 2 1');
  const rotated = acceptedOrError(await nodes.changing.rotateKey(apiKey.id, 60_000, 'admin'));
  await nodes.readFeed();
  expect(await nodes.ask(secret)).toBe('version 3 1');
  expect(await nodes.ask(rotated.secret)).toBe('version 3 1');
  await nodes.changing.revokeKey(apiKey.id, 'admin');
  await nodes.readFeed();
  expect(await nodes.ask(secret)).toBe('revoked_api_key');
  expect(await nodes.ask(rotated.secret)).toBe('revoked_api_key');
});

test('an account that another node suspends is refused with all its keys', async () => {
  const nodes = startNodes();
  const { account, secret } = await createKey(nodes);
  expect(await nodes.ask(secret)).toBe('version 1 1');
  await nodes.changing.change(account.id, { status: 'suspended' }, 'admin');
  await nodes.readFeed();
  expect(await nodes.ask(secret)).toBe('account_suspended');
});

test('a node that was closed reads every key again', async () => {
  const nodes = startNodes();
  const { apiKey, secret } = await createKey(nodes);
  expect(await nodes.ask(secret)).toBe('version 1 1');
  await nodes.changing.revokeKey(apiKey.id, 'admin');
  nodes.close();
  expect(await nodes.ask(secret)).toBe('revoked_api_key');
});

test('an admin token and its revocation count on every node at once', async () => {
  const [one, other] = databases.map(
    (database) =>
      new TokenService({
        store: commonRecords(new PostgresQueries(database)),
        clock: systemClock,
        firstTokenHash: 'none',
      }),
  );
  const created = acceptedOrError(
    await one!.create({ name: 'ci', role: 'operator', expiresAt: null }, 'admin'),
  );
  expect(await nameOf(other!.identify(created.secret))).toBe('ci');
  await other!.revoke(created.token.id, 'admin');
  expect(await nameOf(one!.identify(created.secret))).toBe('revoked_api_key');
});
