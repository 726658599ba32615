import { expect, test } from 'bun:test';
import { type CloudSecret, CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import type { FetchedSecret } from './fetched-secret.ts';
import { RenewingCredential } from './renewing-credential.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

function setUp({ lifeMs = HOUR as number | null, isCached = false } = {}) {
  let now = 0;
  let asked = 0;
  let problem: Error | undefined;
  let gate: Promise<void> = Promise.resolve();
  const reported: string[] = [];
  const credential = new RenewingCredential({
    kind: 'azure',
    fixedSecrets: ['the-secret'],
    now: () => now,
    onFailure: ({ message }) => reported.push(message),
    recovered: () => reported.push('recovered'),
    ask: async (): Promise<FetchedSecret> => {
      asked += 1;
      const token = isCached ? 'token' : `token-${asked}`;
      await gate;
      if (problem) throw problem;
      return {
        secret: { kind: 'token', token, project: null },
        source: 'here',
        expiresAt: lifeMs === null ? null : now + lifeMs,
      };
    },
  });
  const tokenOf = (secret: CloudSecret): string => (secret.kind === 'token' ? secret.token : '');
  return {
    credential,
    reported,
    asked: () => asked,
    current: async () => tokenOf(await credential.current()),
    advance: (ms: number) => {
      now += ms;
    },
    fail: (error: Error | undefined) => {
      problem = error;
    },
    block: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    settle: () => Bun.sleep(1),
  };
}

test('requests share one renewal and its secret', async () => {
  const { current, asked, credential } = setUp();
  expect(await Promise.all([current(), current(), current()])).toEqual(['token-1', 'token-1', 'token-1']);
  expect(await current()).toBe('token-1');
  expect(asked()).toBe(1);
  expect(credential.secrets()).toEqual(['the-secret', 'token-1']);
  await credential.renew(await credential.current());
  // Hosts can still quote the old one.
  expect(credential.secrets()).toEqual(['the-secret', 'token-1', 'token-2']);
});

test.each([
  [HOUR, 300 * SECOND],
  [1_200 * SECOND, 120 * SECOND],
  [300 * SECOND, 60 * SECOND],
])('a secret with a life of %d ms is renewed in the background when %d ms are left', async (lifeMs, left) => {
  const { current, advance, asked, settle } = setUp({ lifeMs });
  await current();
  advance(lifeMs - left - 1);
  expect(await current()).toBe('token-1');
  expect(asked()).toBe(1);
  advance(1);
  expect(await current()).toBe('token-1'); // the old secret serves meanwhile
  await settle();
  expect(await current()).toBe('token-2');
  expect(asked()).toBe(2);
});

test('the old secret serves until it expires while renewals fail, with growing pauses between them', async () => {
  const { current, advance, asked, settle, fail, reported } = setUp();
  await current();
  fail(new CredentialFailure('here', 'it is away'));
  advance(HOUR - 100 * SECOND);
  for (let second = 0; second < 99; second++) {
    expect(await current()).toBe('token-1');
    await settle();
    advance(SECOND);
  }
  expect(asked()).toBeWithin(10, 16);
  advance(SECOND);
  await expect(current()).rejects.toThrow('it is away');
  fail(undefined);
  advance(10 * SECOND);
  expect(await current()).toStartWith('token-');
  expect(reported.at(-1)).toBe('recovered');
});

test('a refused secret is renewed once for all requests', async () => {
  const { credential, asked } = setUp();
  const first = await credential.current();
  const renewed = await Promise.all([credential.renew(first), credential.renew(first)]);
  expect(renewed[0]).toEqual(renewed[1]!);
  expect(await credential.renew(first)).toEqual(renewed[0]!);
  expect(asked()).toBe(2);
});

test('a host that refuses each new secret causes one renewal a minute', async () => {
  const { credential, asked, advance } = setUp();
  const renewed = await credential.renew(await credential.current());
  credential.renewedInVain();
  expect(await credential.renew(renewed!)).toBeUndefined();
  expect(asked()).toBe(2);
  advance(60 * SECOND);
  expect(await credential.renew(renewed!)).toEqual(expect.anything());
  expect(asked()).toBe(3);
});

test('a fixed secret is read again once it is refused and at a reload, since its file can have changed', async () => {
  const { credential, asked, settle, advance } = setUp({ lifeMs: null, isCached: true });
  const first = await credential.current();
  expect(await credential.renew(first)).toBeUndefined();
  expect(asked()).toBe(2);
  expect(await credential.renew(first)).toBeUndefined();
  expect(asked()).toBe(2);
  credential.reload();
  await settle();
  expect(asked()).toBe(3);
  advance(HOUR);
  expect(await credential.current()).toEqual(first);
  expect(asked()).toBe(3);
  const changed = setUp({ lifeMs: null });
  expect(await changed.credential.renew(await changed.credential.current())).toMatchObject({
    token: 'token-2',
  });
});

test.each([
  ['a short life', { lifeMs: 30 * SECOND }, 11],
  ['no life by this clock', { lifeMs: -SECOND }, 11],
  ['the same secret each time', { lifeMs: 30 * SECOND, isCached: true }, 3],
])('a source that gives %s is asked with pauses', async (_, options, most) => {
  const { current, asked, advance, settle } = setUp(options);
  for (let call = 0; call < 100; call++) {
    expect(await current()).toStartWith('token');
    await settle();
    advance(SECOND / 10);
  }
  expect(asked()).toBeWithin(2, most + 1);
});

test('a source that fails in an unknown way quotes nothing', async () => {
  const { credential, fail } = setUp();
  fail(new Error('a secret'));
  await expect(Promise.resolve(credential.current())).rejects.toThrow('The source failed.');
  expect(credential.state()).toMatchObject({ error: 'The source failed.', source: 'unknown' });
});
