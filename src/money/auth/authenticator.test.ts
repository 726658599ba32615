import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { systemClock } from '../../base/lib/clock.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { sampleAccount, sampleKey } from '../../store/testing/conformance/sample-records.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import { generateKey, hashKey } from '../accounts/key-format.ts';
import { Authenticator } from './authenticator.ts';
import type { Principal } from './principal.ts';
import { StaleCaller } from './stale-caller.ts';

const snapshot = sampleSnapshot();
const exchangeWith = (key: string) =>
  sampleExchange({
    request: new Request('http://localhost', { headers: { authorization: `Bearer ${key}` } }),
    snapshot,
  });

test('refuses a key with a wrong checksum without a look-up, and looks up a well-formed key once', async () => {
  const asked: string[] = [];
  const source = {
    findKeyByHash: async (hash: string) => void asked.push(hash),
    findKey: async () => undefined,
    findAccount: async () => undefined,
  };
  const authenticator = new Authenticator(source, systemClock, {
    greet: () => {},
    countRead: () => undefined,
  });
  const refusalOf = async (key: string) => {
    const refused = await authenticator.authenticate(exchangeWith(key), 'bearer');
    return refused instanceof Refusal ? refused.code : 'known';
  };
  const key = generateKey('svc_');
  const other = (character: string) => (character === 'a' ? 'b' : 'a');
  const typos = [...key].flatMap((character, at) =>
    at < 4 ? [] : [key.slice(0, at) + other(character) + key.slice(at + 1)],
  );
  for (const typo of [...typos, `${key}0`, key.slice(0, -1), 'svc_', `sk_${key.slice(4)}`])
    expect(await refusalOf(typo)).toBe('invalid_api_key');
  expect(asked).toEqual([]);
  expect(await refusalOf(key)).toBe('invalid_api_key');
  expect(asked).toHaveLength(1);
});

describe('the end of a key', () => {
  const first = generateKey('svc_');
  const second = generateKey('svc_');
  const clock = { nowMs: 1_000, now: () => clock.nowMs };
  const account = sampleAccount({ id: 'acct_1' });
  const keyed = (fields: Partial<ApiKey>) => {
    const apiKey = sampleKey(account.id, { id: 'key_1', hash: hashKey(second), ...fields });
    let stored = apiKey;
    const source = {
      findKeyByHash: async () => stored,
      findKey: async () => stored,
      findAccount: async () => account,
    };
    const authenticator = new Authenticator(source, clock);
    const codeOf = (answer: unknown) => (answer instanceof Refusal ? answer.message : 'known');
    return {
      authenticator,
      apiKey,
      change(changed: Partial<ApiKey>) {
        stored = { ...stored, ...changed };
      },
      ask: async (key: string) => codeOf(await authenticator.authenticate(exchangeWith(key), 'bearer')),
      recognize: async () => codeOf(await authenticator.recognize(exchangeWith(''), 'key_1')),
    };
  };

  test('comes at its expiry, also for a key in the cache and for its batches', async () => {
    clock.nowMs = 1_000;
    const { ask, recognize } = keyed({ expiresAt: 2_000 });
    expect(await ask(second)).toBe('known');
    expect(await recognize()).toBe('known');
    clock.nowMs = 1_999;
    expect(await ask(second)).toBe('known');
    expect(await recognize()).toBe('known');
    clock.nowMs = 2_000;
    const expired = 'This API key expired at 1970-01-01T00:00:02.000Z.';
    expect(await ask(second)).toEqual(expired);
    expect(await recognize()).toEqual(expired);
  });

  test('comes for a replaced secret with the overlap, except for its batches', async () => {
    clock.nowMs = 1_000;
    const { ask, recognize } = keyed({ previous: { hash: hashKey(first), endsAt: 2_000 } });
    expect(await ask(first)).toBe('known');
    expect(await ask(second)).toBe('known');
    expect(await recognize()).toBe('known');
    clock.nowMs = 2_000;
    expect(await ask(first)).toBe('This API key was replaced by a new one.');
    expect(await ask(second)).toBe('known');
    expect(await recognize()).toBe('known');
    expect(await ask(generateKey('svc_'))).toBe('This API key was replaced by a new one.');
  });

  test('is noticed for both secrets and for batches when the key changes', async () => {
    clock.nowMs = 1_000;
    const previous = { hash: hashKey(first), endsAt: 2_000 };
    const { apiKey, ask, authenticator, change, recognize } = keyed({ previous });
    const all = async () => [await ask(first), await ask(second), await recognize()];
    expect(await all()).toEqual(['known', 'known', 'known']);
    change({ revokedAt: 1 });
    expect(await all()).toEqual(['known', 'known', 'known']);
    authenticator.forgetKey(apiKey.id);
    const revoked = 'This API key is revoked.';
    expect(await all()).toEqual([revoked, revoked, revoked]);
  });

  test('is noticed when another process reports the id of the key, or when all keys are read again', async () => {
    clock.nowMs = 1_000;
    const previous = { hash: hashKey(first), endsAt: 2_000 };
    const { ask, authenticator, change, recognize } = keyed({ previous });
    const all = async () => [await ask(first), await ask(second), await recognize()];
    expect(await all()).toEqual(['known', 'known', 'known']);
    change({ revokedAt: 1 });
    authenticator.forgetKey('key_other');
    expect(await all()).toEqual(['known', 'known', 'known']);
    authenticator.forgetKey('key_1');
    const revoked = 'This API key is revoked.';
    expect(await all()).toEqual([revoked, revoked, revoked]);
    change({ revokedAt: null });
    authenticator.forgetAll();
    expect(await all()).toEqual(['known', 'known', 'known']);
  });

  test('is noticed although the key was being read when it changed', async () => {
    clock.nowMs = 1_000;
    const { ask, authenticator, change } = keyed({});
    const asked = ask(second);
    authenticator.forgetKey('key_1');
    expect(await asked).toBe('known'); // it was read before the change
    change({ revokedAt: 1 });
    expect(await ask(second)).toBe('This API key is revoked.');
  });
});

describe('a key whose account another node has changed', () => {
  const secret = generateKey('svc_');
  const setUp = (currentFrom: number) => {
    const key = sampleKey('acct_1', { id: 'key_1', hash: hashKey(secret) });
    let version = 0;
    const source = {
      findKeyByHash: async () => key,
      findKey: async () => key,
      findAccount: async () => sampleAccount({ id: 'acct_1', version: ++version }),
    };
    const counted: number[] = [];
    const authenticator = new Authenticator(source, systemClock, {
      greet: () => {},
      countRead: (_, principal) => {
        counted.push(principal.account.version);
        return principal.account.version < currentFrom ? 'stale' : undefined;
      },
    });
    return { authenticator, exchange: () => exchangeWith(secret), counted };
  };

  test('is read again for a request that calls no model', async () => {
    const { authenticator, exchange, counted } = setUp(3);
    const principal = await authenticator.authenticateRead(exchange(), 'bearer');
    expect(principal).not.toBeInstanceOf(Refusal);
    expect(counted).toEqual([1, 2, 3]);
    expect(authenticator.authenticate(exchange(), 'bearer')).toBe(principal);
  });

  test('is read again for a person who uses the key without its secret', async () => {
    const { authenticator, exchange, counted } = setUp(3);
    const person = authenticator.withKey('key_1', 'per_1');
    const unsigned = () => Object.assign(exchange(), { request: new Request('http://localhost') });
    const principal = (await person.authenticateRead(unsigned(), 'bearer')) as Principal;
    expect({ version: principal.account.version, counted }).toEqual({ version: 3, counted: [1, 2, 3] });
    expect(principal.apiKey.personId).toBe('per_1');
    expect(await person.authenticate(unsigned(), 'bearer')).toEqual(principal);
    const again = (await person.authenticateAgain(unsigned(), principal, 'bearer')) as Principal;
    expect(again.account.version).toBe(4);
  });

  test('is read again three times before the request is refused', async () => {
    const { authenticator, exchange, counted } = setUp(99);
    const reading = Promise.resolve(authenticator.authenticateRead(exchange(), 'bearer'));
    expect(await reading.catch((error: unknown) => error)).toBeInstanceOf(StaleCaller);
    expect(counted).toEqual([1, 2, 3, 4]);
  });

  test('stays cached if it was read again since', async () => {
    const { authenticator, exchange } = setUp(0);
    const stale = (await authenticator.authenticate(exchange(), 'bearer')) as Principal;
    const current = await authenticator.authenticateAgain(exchange(), stale, 'bearer');
    expect(current).toMatchObject({ account: { version: 2 } });
    expect(authenticator.authenticateAgain(exchange(), stale, 'bearer')).toBe(current);
  });

  test('is forgotten by the id of its key or of its account', async () => {
    const { authenticator, exchange } = setUp(0);
    const versionNow = async () =>
      ((await authenticator.authenticate(exchange(), 'bearer')) as Principal).account.version;
    expect(await versionNow()).toBe(1);
    expect(await versionNow()).toBe(1);
    authenticator.forgetKey('key_1');
    expect(await versionNow()).toBe(2);
    authenticator.forgetAccount('acct_1');
    expect(await versionNow()).toBe(3);
    authenticator.forgetKey('key_2');
    authenticator.forgetAccount('acct_2');
    expect(await versionNow()).toBe(3);
  });
});
