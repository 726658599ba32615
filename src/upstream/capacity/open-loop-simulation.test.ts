import { expect, test } from 'bun:test';
import { shareOf } from '../../../test/support/share-of.ts';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { Capacity } from './capacity.ts';
import type { PlanClass } from './plan-class.ts';
import { waitForSlot } from './testing/wait-for-slot.ts';

const SLOTS = 50;
const THINKING_MS = 500;
const CAPACITY_PER_MS = SLOTS / THINKING_MS;
const END_MS = 60_000;
const SETTLED_MS = 15_000;
const SEEDS = 5;

type Request = { planClass: PlanClass; arrivedMs: number; waitedMs: number; tookMs: number };
type Traffic = Partial<Record<PlanClass, number>>;

/** Open-loop requests at multiples of the capacity, on a virtual clock. */
class OpenLoop {
  readonly #random: () => number;
  readonly #provider = { id: 'one', maxConcurrent: SLOTS };
  readonly #capacity: Capacity;
  readonly #maxWaitMs: number;
  readonly #events: { atMs: number; run: () => void }[] = [];
  #nowMs = 0;
  readonly served: Request[] = [];
  refused = 0;

  constructor(seed: number, maxWaitMs: number) {
    this.#random = seededRandom(seed);
    this.#maxWaitMs = maxWaitMs;
    this.#capacity = new Capacity({ now: () => this.#nowMs });
  }

  run(traffic: Traffic): this {
    for (const [planClass, multiple] of Object.entries(traffic) as [PlanClass, number][])
      this.#arriveEvery(planClass, 1 / (multiple * CAPACITY_PER_MS));
    for (let event = this.#events.pop(); event; event = this.#events.pop()) {
      this.#nowMs = event.atMs;
      this.#capacity.expire();
      event.run();
    }
    return this;
  }

  #arriveEvery(planClass: PlanClass, meanGapMs: number): void {
    this.#after(-Math.log(1 - this.#random()) * meanGapMs, () => {
      if (this.#nowMs >= END_MS) return;
      this.#arrive(planClass);
      this.#arriveEvery(planClass, meanGapMs);
    });
  }

  #arrive(planClass: PlanClass): void {
    const arrivedMs = this.#nowMs;
    const account = `${planClass} ${Math.floor(this.#random() * 8)}`;
    const claim = { account, planClass, bytes: 1_000, providers: [this.#provider], freeShare: 0 };
    waitForSlot(this.#capacity, { ...claim, maxWaitMs: this.#maxWaitMs }, (outcome) => {
      if (outcome.kind !== 'slot') {
        this.refused++;
        return;
      }
      const { waitedMs } = outcome;
      this.#after(THINKING_MS * (0.5 + this.#random()), () => {
        this.served.push({ planClass, arrivedMs, waitedMs, tookMs: this.#nowMs - arrivedMs });
        this.#capacity.release(this.#provider, account);
      });
    });
  }

  #after(ms: number, run: () => void): void {
    const event = { atMs: this.#nowMs + ms, run };
    let low = 0;
    let high = this.#events.length; // sorted with the earliest last
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle]!.atMs > event.atMs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }
}

const runs = (traffic: Traffic, maxWaitMs: number) =>
  Array.from({ length: SEEDS }, (_, seed) => new OpenLoop(seed + 1, maxWaitMs).run(traffic));

const percentile99 = (values: number[]): number =>
  values.sort((one, other) => one - other)[Math.floor(values.length * 0.99)]!;

test('keeps its full throughput at five times the capacity within the limit of waits', () => {
  const maxWaitMs = 2_000;
  const goodputs = [0.5, 1, 2, 5].map((multiple) => {
    const served = runs({ paid: multiple }, maxWaitMs).flatMap((run) => run.served);
    expect(served.filter(({ waitedMs }) => waitedMs > maxWaitMs)).toEqual([]);
    const counted = served.filter(({ arrivedMs, tookMs }) => {
      const doneMs = arrivedMs + tookMs;
      return doneMs >= SETTLED_MS && doneMs < END_MS;
    });
    return counted.length / ((END_MS - SETTLED_MS) * SEEDS * CAPACITY_PER_MS);
  });
  expect(goodputs[0]).toBeCloseTo(0.5, 1);
  expect(Math.max(...goodputs)).toBeLessThan(1.03);
  expect(goodputs[3]! / Math.max(...goodputs)).toBeGreaterThan(0.97);
});

test('refuses requests that cannot be served in time at once', () => {
  const [run] = runs({ paid: 5 }, 2_000);
  expect(run!.refused / run!.served.length).toBeGreaterThan(3);
  const waits = run!.served.filter(({ arrivedMs }) => arrivedMs > SETTLED_MS).map(({ waitedMs }) => waitedMs);
  expect(percentile99(waits)).toBeGreaterThan(1_000); // the queue is used up to its limit
});

for (const share of shareOf([0.5, 0.8, 0.9, 1.1], { turn: 2, of: 4 })) {
  test(`a flood of Free delays paid requests at ${share} × the capacity by a fifth at most`, () => {
    const paid = (traffic: Traffic) => {
      const took = runs(traffic, 20_000).flatMap(({ served }) =>
        served.filter((one) => one.planClass === 'paid'),
      );
      return percentile99(took.filter((one) => one.arrivedMs > SETTLED_MS).map(({ tookMs }) => tookMs));
    };
    const alone = paid({ paid: share });
    const flooded = paid({ paid: share, free: 5 - share });
    expect({ alone, flooded, isWithin: flooded <= 1.2 * alone }).toMatchObject({ isWithin: true });
  });
}
