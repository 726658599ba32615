import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { systemClock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { generateKey } from '../accounts/key-format.ts';
import { Authenticator } from './authenticate.ts';

const exchangeWith = (key: string): Exchange =>
  ({
    request: new Request('http://localhost', { headers: { authorization: `Bearer ${key}` } }),
    snapshot: { config: { auth: { any_header: false } }, names: { keyPrefix: 'svc_' } },
    notes: {},
  }) as unknown as Exchange;

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
