import { expect, test } from 'bun:test';
import { isFull } from '../../../test/support/is-full.ts';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { Capacity } from './capacity.ts';
import { type PlanClass, planClasses } from './plan-class.ts';
import type { Slotted, Waiter, WaitOutcome } from './slot-claim.ts';
import { waitForSlot } from './testing/wait-for-slot.ts';

const SEEDS = isFull ? 3_000 : 800;
const STEPS = 150;

type Asked = {
  account: string;
  planClass: PlanClass;
  candidates: readonly Slotted[];
  providers: readonly Slotted[];
  bytes: number;
  since: number;
  arrived: number;
  until: number;
  /** The number of each outcome. Exactly one of them must occur, once. */
  served: number;
  turnedAway: number;
  left: number;
  waiter: Waiter | undefined;
};

/**
 * A run of random arrivals, ends and departures on a virtual clock. All invariants are checked after every
 * step.
 */
class Simulation {
  readonly #random: () => number;
  readonly #time = { now: 0 };
  readonly #capacity = new Capacity(
    { now: () => this.#time.now },
    { maxWaiting: 12, maxWaitingBytes: 2_000 },
  );
  readonly #freeShare: number;
  readonly #providers: { id: string; maxConcurrent: number }[];
  readonly #changed: Asked[] = [];
  readonly #running: { asked: Asked; provider: Slotted }[] = [];
  readonly #all: Asked[] = [];
  /** The value of the previous step. A reload that removes slots ends no answer. */
  readonly #wereInUse = new Map<string, number>();
  readonly faults: string[] = [];
  servedFromQueue = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#freeShare = this.#random() < 0.7 ? 0 : this.#random();
    this.#providers = ['a', 'b', 'c'].map((id) => ({ id, maxConcurrent: 1 + this.#below(3) }));
  }

  run(): void {
    for (let step = 0; step < STEPS; step++) {
      this.#time.now += this.#below(40);
      this.#step();
      this.#check();
    }
    while (this.#running.length > 0) this.#endOne(); // all queued requests are served now
    for (const asked of this.#all) {
      if (asked.served + asked.turnedAway + asked.left !== 1) this.faults.push('request lost or ended twice');
    }
    for (const { id } of this.#providers)
      if (this.#capacity.inUse(id) !== 0) this.faults.push('a slot is not released');
  }

  #step(): void {
    const choice = this.#random();
    if (choice < 0.5) this.#arrive();
    else if (choice < 0.8) this.#endOne();
    else if (choice < 0.88) this.#leaveOne();
    else if (choice < 0.96) this.#capacity.expire();
    else if (choice < 0.98) this.#change();
    else this.#reload();
  }

  #arrive(): void {
    const planClass = planClasses[this.#below(planClasses.length)]!;
    const candidates = this.#some(this.#providers);
    const providers = this.#some(candidates);
    if (providers.length === 0) return;
    const account = `${planClass}-${this.#below(4)}`;
    const maxWaitMs = 50 + this.#below(1_500);
    const { now } = this.#time;
    const asked: Asked = {
      account,
      planClass,
      candidates,
      providers,
      bytes: this.#below(400),
      since: now,
      arrived: this.#all.length,
      until: now + maxWaitMs,
      served: 0,
      turnedAway: 0,
      left: 0,
      waiter: undefined,
    };
    this.#all.push(asked);
    this.#wait(asked);
  }

  #some(providers: readonly Slotted[]): Slotted[] {
    return providers.filter(() => this.#random() < 0.6);
  }

  #wait(asked: Asked): void {
    const { until, ...claim } = asked;
    asked.waiter = undefined;
    asked.waiter = waitForSlot(
      this.#capacity,
      { ...claim, maxWaitMs: until - asked.since, freeShare: this.#freeShare },
      (outcome) => this.#settle(asked, outcome),
    );
  }

  /** Changes the suitable providers. */
  #change(): void {
    this.#capacity.reconsider();
    for (const asked of this.#changed.splice(0)) {
      const others = this.#some(asked.candidates);
      if (others.length > 0) asked.providers = others;
      this.#wait(asked);
    }
  }

  #reload(): void {
    for (const provider of this.#providers) provider.maxConcurrent = 1 + this.#below(3);
    this.#capacity.follow(this.#providers);
  }

  #settle(asked: Asked, outcome: WaitOutcome<Slotted>): void {
    if (outcome.kind === 'no-slot') {
      asked.turnedAway++;
      const waitsForSpace = outcome.reason === 'expired' && this.#time.now < asked.until;
      if (waitsForSpace) this.faults.push('refused too early');
      return;
    }
    if (outcome.kind === 'changed') {
      this.#changed.push(asked);
      return;
    }
    asked.served++;
    this.#running.push({ asked, provider: outcome.provider });
    if (asked.waiter === undefined) return; // served at once
    this.servedFromQueue++;
    this.#checkOrder(asked, outcome.provider);
  }

  /** Checks that no request with a higher priority queues for the same provider. */
  #checkOrder(asked: Asked, provider: Slotted): void {
    const there = this.#waiting().filter((other) => other.providers.includes(provider));
    const isBelowShare = this.#sharesAt(provider, asked, there);
    for (const other of there) {
      if (this.#isInversion(asked, other)) this.faults.push(`${asked.planClass} before ${other.planClass}`);
      const isOvertaken = other.account === asked.account && other.arrived < asked.arrived;
      if (isOvertaken) this.faults.push('an account overtakes itself');
      const goesFirst = isBelowShare(other) && !isBelowShare(asked);
      if (goesFirst && other.planClass === asked.planClass) this.faults.push('a share is exceeded');
    }
  }

  /** Returns the accounts that were below their share before the request got its slot. */
  #sharesAt(provider: Slotted, served: Asked, there: readonly Asked[]): (one: Asked) => boolean {
    const held = new Map([served, ...there].map(({ account }) => [account, 0]));
    for (const { provider: at, asked } of this.#running) {
      if (at !== provider) continue;
      held.set(asked.account, (held.get(asked.account) ?? 0) + (asked === served ? 0 : 1));
    }
    const share = provider.maxConcurrent! / held.size;
    return ({ account }) => held.get(account)! < share;
  }

  /** Checks the share of slots for which paid waits: only Free may have one. */
  #isInversion(asked: Asked, other: Asked): boolean {
    const goesLater = planClasses.indexOf(asked.planClass) > planClasses.indexOf(other.planClass);
    return goesLater && !(this.#freeShare > 0 && asked.planClass === 'free');
  }

  #endOne(): void {
    if (this.#running.length === 0) return;
    const [ended] = this.#running.splice(this.#below(this.#running.length), 1);
    this.#capacity.release(ended!.provider, ended!.asked.account);
  }

  #leaveOne(): void {
    const waiting = this.#waiting();
    if (waiting.length === 0) return;
    const leaver = waiting[this.#below(waiting.length)]!;
    leaver.left++;
    leaver.waiter!.leave();
  }

  #waiting(): Asked[] {
    return this.#all.filter(
      ({ served, turnedAway, left, waiter }) => waiter && served + turnedAway + left === 0,
    );
  }

  #check(): void {
    const waiting = this.#waiting();
    const counted = planClasses.reduce((sum, planClass) => sum + this.#capacity.waiting(planClass), 0);
    if (counted !== waiting.length) this.faults.push('wrong count of queued requests');
    for (const provider of this.#providers) {
      const inUse = this.#capacity.inUse(provider.id);
      const running = this.#running.filter((one) => one.provider === provider).length;
      if (inUse !== running) this.faults.push('slots in use without a request');
      const before = this.#wereInUse.get(provider.id) ?? 0;
      if (inUse > Math.max(provider.maxConcurrent, before))
        this.faults.push('more slots in use than the limit');
      this.#wereInUse.set(provider.id, inUse);
      const isIdle = inUse < provider.maxConcurrent;
      if (isIdle && waiting.some(({ providers }) => providers.includes(provider)))
        this.faults.push('a free slot while a request queues for it');
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

test('serves each request once within the slots, in the order of classes and shares [LIM-46]', () => {
  let servedFromQueue = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const simulation = new Simulation(seed);
    simulation.run();
    servedFromQueue += simulation.servedFromQueue;
    expect({ seed, faults: simulation.faults }).toEqual({ seed, faults: [] });
  }
  expect(servedFromQueue).toBeGreaterThan(SEEDS * 10);
});
