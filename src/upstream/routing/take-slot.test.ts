import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { budgetSizes } from '../../base/memory/budget-sizes.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { connectionFailure } from '../calling/failures.ts';
import { ProviderActivity } from '../calling/provider-activity.ts';
import { UpstreamCaller } from '../calling/upstream-caller.ts';
import { Capacity } from '../capacity/capacity.ts';
import type { OverloadLevel } from '../capacity/overload-level.ts';
import type { PlanClass } from '../capacity/plan-class.ts';
import { HttpClient } from '../http-client/http-client.ts';
import type { CallOrder } from './call-order.ts';
import { Routing } from './routing.ts';
import { CHOOSE_AGAIN, keepSlot, type SlotRequest, takeSlot } from './take-slot.ts';
import type { TargetQuestion } from './target-chooser.ts';
import { Trail } from './trail.ts';
import { tryTargets } from './try-targets.ts';

const provider = sampleProvider({ id: 'one', maxConcurrent: 1 });
const targets = [sampleTarget({ provider })];

const snapshot = sampleSnapshot('limits: { queue_wait_s: 60, free_share: 0 }');
const about = { tried: [], isRetry: false, affinity: 0, delivery: 'whole', now: 1_000 } as const;
const requestOf = (planClass: PlanClass, signal = new AbortController().signal): SlotRequest => ({
  account: 'a',
  planClass,
  bytes: 1,
  maxWaitMs: 60_000,
  freeShare: 0,
  signal,
});
const question: TargetQuestion = { ...about, targets, account: 'a', planClass: 'paid' };

type Changes = Partial<Pick<TargetQuestion, 'targets'>> & { signal?: AbortSignal };

const orderOf = (members: Partial<CallOrder<string>>) => partial<CallOrder<string>>(members);

function setUp() {
  const now = { ms: 1_000 };
  const clock = { now: () => now.ms };
  const overload = { level: 'none' as OverloadLevel };
  const waits: string[] = [];
  const upstream = new UpstreamCaller(new HttpClient({ proxies: { http: false, https: false } }));
  const routing = new Routing({
    clock,
    overload,
    random: seededRandom(1),
    upstream,
    activity: new ProviderActivity(clock),
    capacity: new Capacity<Provider>(clock),
    memory: new MemoryBudget({ sizes: budgetSizes(1e9, undefined), timeoutMs: 1 }),
    observeWait: (planClass, outcome) => waits.push(`${planClass} ${outcome}`),
  });
  const take = (planClass: PlanClass, { signal, ...changes }: Changes = {}) => {
    const request = requestOf(planClass, signal);
    const asked = { ...question, ...changes, planClass, now: now.ms };
    const taking = takeSlot(routing, asked, request);
    if (!(taking instanceof Promise)) return taking;
    return taking.then((taken) => keepSlot(routing, { question: asked, request, taken }));
  };
  const start = async (planClass: PlanClass) => {
    // An accepted request continues with the body of the order, which is absent here.
    const order = orderOf({ entry: sampleEntry({ targets }), caller: { account: 'a', planClass } });
    return tryTargets(sampleExchange(), routing, order).catch(() => 'begun');
  };
  return { routing, overload, upstream, waits, now, take, start };
}

const isRefused = (taken: unknown) => taken instanceof Refusal && taken.code === 'capacity_unavailable';

test('gives the next free slot to a queued request', async () => {
  const { routing, take, waits } = setUp();
  expect(take('paid')).toBe(0);
  const waiting = take('paid');
  routing.capacity.release(provider, 'a');
  expect({ waiting: await waiting, waits }).toEqual({ waiting: 0, waits: ['paid served'] });
});

test('queues no request under overload, but starts requests with a free slot', () => {
  const { overload, take } = setUp();
  overload.level = 'refuse-waiting';
  expect(take('paid')).toBe(0);
  expect(isRefused(take('paid'))).toBe(true);
});

test('passes over a queued request whose client has left', async () => {
  const { routing, take, waits } = setUp();
  take('paid');
  const leaving = new AbortController();
  const left = take('free', { signal: leaving.signal });
  const next = take('free');
  leaving.abort();
  expect(routing.capacity.waiting('free')).toBe(1);
  routing.capacity.release(provider, 'a');
  expect(isRefused(await left)).toBe(true);
  expect(await next).toBe(0);
  expect(waits).toEqual(['free left', 'free served']);
});

test('does not exceed the limit of tries at a paused target after a wait', async () => {
  const { routing, take } = setUp();
  const held = take('paid');
  const kept = take('paid');
  const given = take('paid');
  const health = routing.healthOf(targets, 0);
  health.circuit.coolDown(60_000, 1_000);
  for (let probe = 0; probe < 7; probe++) health.begin({ isRetry: false }, 1_000);
  expect(held).toBe(0);
  routing.capacity.release(provider, 'a');
  expect(await kept).toBe(0);
  health.begin({ isRetry: false }, 1_000);
  routing.capacity.release(provider, 'a');
  expect(await given).toBe(CHOOSE_AGAIN);
  expect(routing.capacity.inUse('one')).toBe(0);
});

test('continues the wait when the choice of targets changes', async () => {
  const { routing, take, waits } = setUp();
  take('paid');
  const waiting = take('paid');
  routing.setDrained('one', true);
  expect({ waiting: await waiting, waits }).toEqual({ waiting: CHOOSE_AGAIN, waits: [] });
  expect(isRefused(take('paid'))).toBe(true);
});

test('queues a new request behind those that have not chosen again after a pause [LIM-46]', async () => {
  const { routing, now, take } = setUp();
  const pair = sampleProvider({ id: 'pair', maxConcurrent: 1 });
  const both = [targets[0]!, { ...targets[0]!, provider: pair }];
  routing.healthOf(both, 1).circuit.coolDown(500, now.ms);
  routing.noteTurn(routing.healthOf(both, 1), now.ms);
  expect(take('paid', { targets: both })).toBe(0);
  const earlier = take('paid', { targets: both });
  Object.defineProperty(routing.review, 'isOverdue', { get: () => true });
  now.ms += 600;
  expect(take('paid', { targets: [{ ...targets[0]!, provider: { ...pair, id: 'other' } }] })).toBe(0);
  const later = take('paid', { targets: both });
  expect(later).toBeInstanceOf(Promise);
  routing.review.now();
  expect({ earlier: await earlier, later: await later }).toEqual({
    earlier: CHOOSE_AGAIN,
    later: CHOOSE_AGAIN,
  });
});

test('refuses Free and batches first under overload, then every request', async () => {
  const { overload, start } = setUp();
  const begun = async (level: OverloadLevel) => {
    overload.level = level;
    const ends = await Promise.all((['paid', 'free', 'batch', 'flex'] as const).map(start));
    return ends.map((end) => !isRefused(end));
  };
  expect(await begun('none')).toEqual([true, true, true, true]);
  expect(await begun('refuse-free')).toEqual([true, false, false, false]);
  expect(await begun('refuse-all')).toEqual([false, false, false, false]);
});

test('ends the second wait of a request when all its waits together have taken the longest time', async () => {
  const { routing, upstream, now, take } = setUp();
  const both = [targets[0]!, sampleTarget({ provider: sampleProvider({ id: 'two', maxConcurrent: 1 }) })];
  expect(take('paid', { targets: both })).toBe(0);
  expect(take('paid', { targets: both })).toBe(1);
  upstream.call = async () => connectionFailure('the first call fails');
  const exchange = sampleExchange({ snapshot });
  const order = orderOf({
    body: knownBody('{}', {}),
    caller: { account: 'b', planClass: 'paid' },
    carrier: partial({ carriageTo: () => partial<Carriage>({ body: '{}' }) }),
    entry: sampleEntry({ targets: both }),
    trail: new Trail(),
  });
  let end: unknown;
  const asking = tryTargets(exchange, routing, order).then((ended) => (end = ended));
  now.ms += 40_000;
  routing.capacity.release(provider, 'a');
  await Bun.sleep(1);
  expect(routing.capacity.waiting('paid')).toBe(1);
  now.ms += 19_999;
  routing.capacity.expire();
  await Bun.sleep(1);
  expect(end).toBeUndefined();
  now.ms += 1;
  routing.capacity.expire();
  await Bun.sleep(1);
  expect({ end, queueMs: exchange.headers['x-svc-queue-ms'] }).toEqual({
    end: expect.any(Refusal),
    queueMs: '60000',
  });
  await asking;
});

test('a request that cannot be written for its target gives the slot back', async () => {
  const { routing } = setUp();
  for (const carriageTo of [() => Promise.reject(new RangeError('late')), () => raise()]) {
    const order = orderOf({
      body: knownBody('{}', {}),
      caller: { account: 'a', planClass: 'paid' },
      carrier: partial({ carriageTo }),
      entry: sampleEntry({ targets }),
      trail: new Trail(),
    });
    await expect(tryTargets(sampleExchange({ snapshot }), routing, order)).rejects.toThrow(RangeError);
    expect(routing.capacity.inUse('one')).toBe(0);
  }
});

function raise(): never {
  throw new RangeError('at once');
}
