import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import type { LimitCount } from './limit-count.ts';
import { higherOf, type LimitFigures } from './limit-figures.ts';
import { type LimitedRequest, Limiter } from './limiter.ts';

const wide: LimitFigures = {
  requestsPerMinute: 1_000,
  requestsPer5Minutes: null,
  concurrent: 1_000,
  tokensPerMinute: 1_000_000,
  networkRequestsPerMinute: null,
  storedMb: null,
};

function start(figures: Partial<LimitFigures>) {
  const clock = { nowMs: 1_800_000_000_000, now: () => clock.nowMs };
  const limiter = new Limiter(clock);
  const all = { ...wide, ...figures };
  const ask = (
    request: Partial<
      Pick<LimitedRequest, 'accountId' | 'key' | 'requests' | 'tokens' | 'network' | 'isConcurrent'>
    > = {},
  ) =>
    limiter.count({
      accountId: 'a',
      requests: 1,
      tokens: 0,
      network: undefined,
      isConcurrent: true,
      figures: all,
      ...request,
    });
  const codeOf = (result: LimitCount | Refusal) => (result instanceof Refusal ? result.code : 'admitted');
  return { clock, limiter, ask, codeOf, all };
}

const waitOf = (result: LimitCount | Refusal): number => (result as Refusal).details.retryAfterMs!;

test('counts nothing for a refused request, which fits after the returned wait [LIM-27] [LIM-28] [LIM-29]', () => {
  const { clock, ask, codeOf } = start({ requestsPerMinute: 2 });
  ask();
  clock.nowMs += 10_000;
  ask();
  const refused = ask();
  expect(codeOf(refused)).toBe('rate_limit_exceeded');
  for (let index = 0; index < 50; index++) expect(waitOf(ask())).toBe(waitOf(refused));
  clock.nowMs += waitOf(refused) - 1;
  expect(codeOf(ask())).toBe('rate_limit_exceeded');
  clock.nowMs += 1;
  expect(codeOf(ask())).toBe('admitted');
  expect(codeOf(ask())).toBe('rate_limit_exceeded');
});

test('a refusal by one limit takes nothing from the others [LIM-29]', () => {
  const { limiter, ask, codeOf, all } = start({ concurrent: 1, requestsPerMinute: 5 });
  ask({ tokens: 10 });
  for (let index = 0; index < 20; index++)
    expect(codeOf(ask({ tokens: 10 }))).toBe('concurrency_limit_exceeded');
  const { requests, tokens } = limiter.stateOf('a', all);
  expect(requests.remaining).toBe(4);
  expect(tokens.remaining).toBe(all.tokensPerMinute - 10);
});

test('reads have a separate window, with twenty reads for each request of the plan [LIM-44] [LIM-28] [LIM-29]', () => {
  const { clock, limiter, ask, codeOf, all } = start({ requestsPerMinute: 2 });
  const read = (count = 1) => limiter.countReads('a', all, count);
  for (let sent = 0; sent < 36; sent++) expect(read()).toBeUndefined();
  clock.nowMs += 10_000;
  expect(read(5)?.code).toBe('rate_limit_exceeded');
  expect(read(4)).toBeUndefined();
  expect(limiter.stateOf('a', all).requests.remaining).toBe(2);
  const refused = read()!;
  expect(refused.message).toContain('40 reads in a minute');
  clock.nowMs += refused.details.retryAfterMs! - 1;
  expect(read()?.code).toBe('rate_limit_exceeded');
  expect([codeOf(ask()), codeOf(ask()), codeOf(ask())]).toEqual([
    'admitted',
    'admitted',
    'rate_limit_exceeded',
  ]);
  clock.nowMs += 1;
  expect(read(1_000)?.code).toBe('rate_limit_exceeded');
  expect(read()).toBeUndefined();
  expect(limiter.countReads('b', all, 1_000)).toBeUndefined();
});

test('ends the count of a concurrent request once, even if it is released repeatedly', () => {
  const { ask, codeOf } = start({ concurrent: 2 });
  const first = ask() as LimitCount;
  ask();
  expect(codeOf(ask())).toBe('concurrency_limit_exceeded');
  first.release();
  first.release();
  expect(codeOf(ask())).toBe('admitted');
  expect(codeOf(ask())).toBe('concurrency_limit_exceeded');
  expect(codeOf(ask({ isConcurrent: false }))).toBe('admitted');
});

test('a plan can have a separate limit for five minutes [LIM-03]', () => {
  const { clock, ask, codeOf } = start({ requestsPerMinute: 20, requestsPer5Minutes: 100 });
  for (let minute = 0; minute < 5; minute++) {
    for (let index = 0; index < 20; index++) expect(codeOf(ask())).toBe('admitted');
    clock.nowMs += 59_000;
    if (minute < 4) clock.nowMs += 2_000;
  }
  clock.nowMs -= 59_000;
  const refused = ask();
  expect(codeOf(refused)).toBe('rate_limit_exceeded');
  clock.nowMs += waitOf(refused);
  expect(codeOf(ask())).toBe('admitted');
});

test('tokens count as estimated until a correction [LIM-41]', () => {
  const { limiter, ask, codeOf, all } = start({ tokensPerMinute: 1_000 });
  const counted = ask({ tokens: 400 }) as LimitCount;
  expect(limiter.stateOf('a', all).tokens.remaining).toBe(600);
  counted.correct(900);
  expect(limiter.stateOf('a', all).tokens.remaining).toBe(100);
  expect(codeOf(ask({ tokens: 101 }))).toBe('tokens_per_minute_exceeded');
  const small = ask({ tokens: 100 }) as LimitCount;
  small.correct(20);
  expect(limiter.stateOf('a', all).tokens.remaining).toBe(80);
});

test('admits a request larger than the whole window if the window is empty [LIM-42]', () => {
  const { clock, ask, codeOf } = start({ tokensPerMinute: 1_000 });
  expect(codeOf(ask({ tokens: 5_000 }))).toBe('admitted');
  const refused = ask({ tokens: 5_000 });
  expect(codeOf(refused)).toBe('tokens_per_minute_exceeded');
  clock.nowMs += waitOf(refused);
  expect(codeOf(ask({ tokens: 5_000 }))).toBe('admitted');
});

test('counts each answer of a request in every window, but only one place [LIM-43]', () => {
  const { limiter, ask, codeOf, all } = start({
    requestsPerMinute: 10,
    requestsPer5Minutes: 10,
    networkRequestsPerMinute: 10,
    concurrent: 2,
  });
  ask({ requests: 6, network: 'n' });
  expect(limiter.stateOf('a', all).requests.remaining).toBe(4);
  expect(codeOf(ask({ requests: 5, network: 'n' }))).toBe('rate_limit_exceeded');
  expect(codeOf(ask({ accountId: 'b', requests: 5, network: 'n' }))).toBe('network_rate_limited');
  expect(codeOf(ask({ requests: 4, network: 'n' }))).toBe('admitted');
});

test('several answers also count in the window of five minutes [LIM-43]', () => {
  const { clock, ask, codeOf } = start({ requestsPerMinute: 10, requestsPer5Minutes: 10 });
  ask({ requests: 6 });
  clock.nowMs += 62_000;
  expect(codeOf(ask({ requests: 5 }))).toBe('rate_limit_exceeded');
  expect(codeOf(ask({ requests: 4 }))).toBe('admitted');
});

test('admits a request for more answers than a window allows if the window is empty [LIM-43]', () => {
  const { clock, ask, codeOf } = start({ requestsPerMinute: 10, networkRequestsPerMinute: 15 });
  expect(codeOf(ask({ requests: 20, network: 'n' }))).toBe('admitted');
  const refused = ask({ requests: 20, network: 'n' });
  expect(codeOf(refused)).toBe('rate_limit_exceeded');
  clock.nowMs += waitOf(refused) - 1;
  expect(codeOf(ask({ requests: 20, network: 'n' }))).toBe('rate_limit_exceeded');
  clock.nowMs += 1;
  expect(codeOf(ask({ requests: 20, network: 'n' }))).toBe('admitted');
});

test('all accounts of one network share its limit [LIM-22]', () => {
  const { ask, codeOf } = start({ networkRequestsPerMinute: 3 });
  for (const accountId of ['a', 'b', 'c']) expect(codeOf(ask({ accountId, network: 'n' }))).toBe('admitted');
  expect(codeOf(ask({ accountId: 'd', network: 'n' }))).toBe('network_rate_limited');
  expect(codeOf(ask({ accountId: 'd', network: 'm' }))).toBe('admitted');
});

test('forgets only accounts without requests under way', () => {
  const { clock, limiter, ask, all } = start({});
  ask({ accountId: 'stays' });
  (ask({ accountId: 'goes' }) as LimitCount).release();
  clock.nowMs += 200_000;
  ask({ accountId: 'new' });
  expect(limiter.stateOf('goes', all).requests).toEqual({ limit: 1_000, remaining: 1_000, resetMs: 0 });
  expect(limiter.size).toBe(2);
});

test('two combined plans have the higher limit of each kind [PLN-35]', () => {
  expect(
    higherOf({ ...wide, requestsPer5Minutes: 100, concurrent: 3 }, { ...wide, tokensPerMinute: 7 }),
  ).toEqual({
    ...wide,
    concurrent: 1_000,
  });
});

const none = { requestsPerMin: null, tokensPerMin: null, concurrent: null };
const keyWith = (limits: Partial<KeyLimits>) => ({ id: 'k', limits: { ...none, ...limits } });
const messageOf = (result: LimitCount | Refusal): string | undefined =>
  result instanceof Refusal ? result.message : undefined;

test("a key's limits are named when they refuse requests of the key", () => {
  const cases = [
    [{ requestsPerMin: 2 }, 'rate_limit_exceeded', 'The limit of this API key is 2 requests a minute.'],
    [{ tokensPerMin: 20 }, 'tokens_per_minute_exceeded', 'The limit of this API key is 20 tokens a minute.'],
    [{ concurrent: 2 }, 'concurrency_limit_exceeded', 'The limit of this API key is 2 requests at a time.'],
  ] as const;
  for (const [limits, code, message] of cases) {
    const { clock, ask, codeOf, limiter, all } = start({ requestsPerMinute: 4 });
    const key = keyWith(limits);
    const counts = [1, 2].map(() => ask({ key, tokens: 10 }) as LimitCount);
    for (let index = 0; index < 20; index++) {
      const refused = ask({ key, tokens: 10 });
      expect({ code: codeOf(refused), message: messageOf(refused) }).toEqual({ code, message });
    }
    expect(limiter.stateOf('a', all).requests.remaining).toBe(2);
    expect(codeOf(ask({ key: { ...key, id: 'other' }, tokens: 10 }))).toBe('admitted');
    expect(codeOf(ask({ tokens: 10 }))).toBe('admitted');
    expect(messageOf(ask())).toBe("The plan's limit is 4 requests in a minute.");
    for (const count of counts) count.release();
    clock.nowMs += 61_000;
    expect(codeOf(ask({ key, tokens: 10 }))).toBe('admitted');
  }
});

test("a key's tokens are corrected with the account's", () => {
  const { ask, limiter, all } = start({});
  const key = keyWith({ tokensPerMin: 100 });
  const count = ask({ key, tokens: 30 }) as LimitCount;
  expect(limiter.stateOf('a', all, key).tokens).toMatchObject({ limit: 100, remaining: 70 });
  count.correct(90);
  expect(limiter.stateOf('a', all, key).tokens.remaining).toBe(10);
  count.correct(10);
  expect(limiter.stateOf('a', all, key).tokens.remaining).toBeGreaterThan(10);
});

test('a request that two limits refuse gets the longer wait', () => {
  const { clock, ask } = start({ requestsPerMinute: 1 });
  const key = keyWith({ requestsPerMin: 1 });
  ask({ accountId: 'b', key });
  clock.nowMs += 10_000;
  ask({ key: undefined });
  expect(messageOf(ask({ key }))).toContain("The plan's limit");
  const later = start({ requestsPerMinute: 1 });
  later.ask();
  later.clock.nowMs += 10_000;
  later.ask({ accountId: 'b', key });
  expect(messageOf(later.ask({ key }))).toContain('The limit of this API key');
});

test('the headers have the tighter limit of account and key', () => {
  const { ask, limiter, all } = start({ requestsPerMinute: 10 });
  const key = keyWith({ requestsPerMin: 6 });
  expect(limiter.stateOf('a', all, key).requests).toMatchObject({ limit: 6, remaining: 6 });
  for (let index = 0; index < 8; index++) ask();
  expect(limiter.stateOf('a', all, key).requests).toMatchObject({ limit: 10, remaining: 2 });
  expect(limiter.stateOf('a', all, key).tokens.limit).toBe(1_000_000);
});

test('a key without recent requests is forgotten', () => {
  const { clock, ask, limiter } = start({});
  (ask({ key: keyWith({ concurrent: 5 }) }) as LimitCount).release();
  expect(limiter.limitedKeys).toBe(1);
  clock.nowMs += 130_000;
  ask();
  expect(limiter.limitedKeys).toBe(0);
});
