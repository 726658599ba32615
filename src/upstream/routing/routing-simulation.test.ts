import { expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { Capacity } from '../capacity/capacity.ts';
import { HealthBook } from './health-book.ts';
import { NONE, TargetChooser } from './target-chooser.ts';

const FIRST_BYTE_MS = 100;
const FAULT_AT_MS = 5_000;
const SETTLED_AT_MS = FAULT_AT_MS + 5_000;
const END_MS = 16_000;
/** Three targets with 10 slots at 100 ms serve 300 requests a second. The load is half of that. */
const MEAN_GAP_MS = 1_000 / 150;
const SLOTS = 10;
const SEEDS = 40;

type Behaviour = (random: () => number) => { afterMs: number; outcome: 'ok' | 'error' | 'timeout' };

const well: Behaviour = (random) => ({ afterMs: FIRST_BYTE_MS * (0.8 + 0.4 * random()), outcome: 'ok' });

/** The faults of one of the three targets. */
const faults: Record<string, Behaviour> = {
  dead: () => ({ afterMs: 1, outcome: 'error' }),
  slow: (random) => ({ afterMs: 10 * FIRST_BYTE_MS * (0.8 + 0.4 * random()), outcome: 'ok' }),
  'failing half of the time': (random) =>
    random() < 0.5 ? { afterMs: FIRST_BYTE_MS / 2, outcome: 'error' } : well(random),
  silent: () => ({ afterMs: 2_000, outcome: 'timeout' }),
};

type Request = { since: number; affinity: number; tried: readonly number[] };
type Event = { at: number; run: () => void };

/** Open-loop traffic on a virtual clock over three equal targets, one of which becomes faulty. */
class Simulation {
  readonly #random: () => number;
  readonly #ill: number;
  readonly #fault: Behaviour;
  readonly #capacity = new Capacity<Target['provider']>({ now: () => this.#now });
  readonly #book = new HealthBook();
  readonly #targets = ['a', 'b', 'c'].map((id) =>
    sampleTarget({ provider: sampleProvider({ id, maxConcurrent: SLOTS }) }),
  );
  readonly #chooser: TargetChooser;
  readonly #events: Event[] = [];
  #now = 0;
  readonly latencies: { at: number; ms: number }[] = [];
  errors = 0;

  constructor(seed: number, fault: Behaviour) {
    this.#random = seededRandom(seed);
    this.#fault = fault;
    this.#ill = seed % 3;
    this.#chooser = new TargetChooser({
      book: this.#book,
      isDrained: () => false,
      hasFreeSlot: (provider) => this.#capacity.hasFreeSlot(provider, 'paid'),
      likelyWaitMs: (provider) => this.#capacity.likelyWaitMs(provider, 'paid', 'one'),
      random: this.#random,
    });
  }

  run(): void {
    this.#at(0, () => this.#arrive());
    for (let event = this.#next(); event; event = this.#next()) {
      this.#now = event.at;
      event.run();
    }
  }

  #arrive(): void {
    const affinity = this.#random() < 0.3 ? 1 + Math.floor(this.#random() * 1_000) : 0;
    this.#attempt({ since: this.#now, affinity, tried: [] });
    const gapMs = -Math.log(1 - this.#random()) * MEAN_GAP_MS;
    if (this.#now + gapMs < END_MS) this.#at(gapMs, () => this.#arrive());
  }

  #attempt(request: Request): void {
    const { affinity, tried } = request;
    const isRetry = tried.length > 0;
    const planClass = 'paid' as const;
    const delivery = 'whole' as const;
    const about = { isRetry, account: 'one', planClass, delivery, affinity, now: this.#now };
    const question = { targets: this.#targets, tried, ...about };
    const index = this.#chooser.pick(question);
    if (index === NONE) {
      const awaited = this.#chooser.awaited(question);
      if (awaited.length === 0) this.errors++;
      else this.#wait(request, awaited);
      return;
    }
    this.#capacity.tryTake(this.#targets[index]!.provider, 'one', 'paid');
    this.#call(request, index);
  }

  #wait(request: Request, awaited: number[]): void {
    const providers = awaited.map((index) => this.#targets[index]!.provider);
    const claim = { account: 'one', planClass: 'paid', bytes: 1, freeShare: 0, maxWaitMs: 60_000 } as const;
    this.#capacity.join({ ...claim, providers }, (outcome) => {
      if (outcome.kind !== 'slot') this.errors++;
      else this.#call(request, awaited[providers.indexOf(outcome.provider)]!);
    });
  }

  #call({ since, affinity, tried }: Request, index: number): void {
    const health = this.#book.of(this.#targets)[index]!;
    const kind = health.begin({ isRetry: tried.length > 0 }, this.#now);
    const isIll = index === this.#ill && this.#now >= FAULT_AT_MS;
    const { afterMs, outcome } = (isIll ? this.#fault : well)(this.#random);
    this.#at(afterMs, () => {
      this.#capacity.release(this.#targets[index]!.provider, 'one');
      if (outcome === 'ok') health.firstByte(afterMs, { now: this.#now, delivery: 'whole' });
      health.end(outcome, kind, this.#now);
      if (outcome === 'ok') this.latencies.push({ at: since, ms: this.#now - since });
      else this.#attempt({ since, affinity, tried: [...tried, index] });
    });
  }

  #at(afterMs: number, run: () => void): void {
    const event = { at: this.#now + afterMs, run };
    let place = this.#events.length;
    while (place > 0 && this.#events[place - 1]!.at < event.at) place--;
    this.#events.splice(place, 0, event); // sorted with the earliest last
  }

  #next(): Event | undefined {
    return this.#events.pop();
  }
}

function percentile99(latencies: readonly { at: number; ms: number }[], from: number, until: number): number {
  const within = latencies.filter(({ at }) => at >= from && at < until).map(({ ms }) => ms);
  within.sort((one, other) => one - other);
  return within[Math.floor(within.length * 0.99)]!;
}

for (const [what, fault] of Object.entries(faults)) {
  test(`returns no error if one of three targets is ${what}, and the waits settle within five seconds`, () => {
    const before: Simulation['latencies'] = [];
    const after: Simulation['latencies'] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const simulation = new Simulation(seed, fault);
      simulation.run();
      expect({ seed, errors: simulation.errors }).toEqual({ seed, errors: 0 });
      before.push(...simulation.latencies);
      after.push(...simulation.latencies);
    }
    const usual = percentile99(before, 1_000, FAULT_AT_MS - 1_000);
    const settled = percentile99(after, SETTLED_AT_MS, END_MS - 1_000);
    expect({ usual, settled, isWithinTwice: settled < 2 * usual }).toMatchObject({ isWithinTwice: true });
  });
}
