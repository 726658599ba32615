import type { Clock } from '../../base/lib/clock.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { ProviderActivity } from '../calling/provider-activity.ts';
import type { UpstreamCaller } from '../calling/upstream-caller.ts';
import type { Capacity } from '../capacity/capacity.ts';
import type { OverloadLevel } from '../capacity/overload-level.ts';
import type { PlanClass } from '../capacity/plan-class.ts';
import { QueueTimer } from '../capacity/queue-timer.ts';
import type { NoSlotReason } from '../capacity/slot-claim.ts';
import { HealthBook } from './health-book.ts';
import type { LearnedRefusals } from './learned-refusals.ts';
import { QueueReview } from './queue-review.ts';
import { TargetChooser } from './target-chooser.ts';
import type { TargetHealth } from './target-health.ts';
import { type TargetView, targetView } from './target-view.ts';

/** Observes each request that has left the queue, and the way in which it left. */
export type WaitObserver = (
  planClass: PlanClass,
  outcome: NoSlotReason | 'served' | 'left',
  waitedMs: number,
) => void;

export type RoutingParts = {
  upstream: UpstreamCaller;
  activity: ProviderActivity;
  capacity: Capacity<Provider>;
  /** A monotonic clock. */
  clock: Clock;
  random(): number;
  overload: { readonly level: OverloadLevel };
  /** The memory that requests may use. */
  memory: MemoryBudget;
  observeWait: WaitObserver;
  learned?: LearnedRefusals;
};

/** The pause of a provider without credit. Each probe costs a client the time of one more call. */
const SUSPENSION_MS = 5 * 60_000;

/** Holds what every request needs to reach a target. */
export class Routing {
  readonly upstream: UpstreamCaller;
  readonly activity: ProviderActivity;
  readonly capacity: Capacity<Provider>;
  readonly clock: Clock;
  readonly chooser: TargetChooser;
  readonly timer: QueueTimer<Provider>;
  readonly review: QueueReview;
  readonly overload: RoutingParts['overload'];
  readonly memory: MemoryBudget;
  readonly observeWait: WaitObserver;
  readonly learned: LearnedRefusals | undefined;
  readonly #book = new HealthBook();

  constructor(parts: RoutingParts) {
    const { upstream, activity, capacity, clock, random, overload, memory, observeWait } = parts;
    this.upstream = upstream;
    this.activity = activity;
    this.capacity = capacity;
    this.clock = clock;
    this.overload = overload;
    this.memory = memory;
    this.observeWait = observeWait;
    this.learned = parts.learned;
    this.timer = new QueueTimer(capacity, clock);
    this.review = new QueueReview(capacity);
    this.chooser = new TargetChooser({
      book: this.#book,
      random,
      isDrained: (providerId) => activity.isDrained(providerId),
      hasFreeSlot: (provider, { planClass }) => capacity.hasFreeSlot(provider, planClass),
      likelyWaitMs: (provider, { planClass, account }) => capacity.likelyWaitMs(provider, planClass, account),
    });
  }

  /** Lists the targets that were called since the start. */
  targetsOf(providerId: string): TargetView[] {
    const now = this.clock.now();
    return [...this.#book.ofProvider(providerId)].map(([model, health]) => targetView(model, health, now));
  }

  /**
   * Avoids the targets of an unreachable provider until the pause is over. They are tried only if no other
   * target is left.
   */
  leaveAlone(targets: readonly Target[], providerId: string, pauseMs: number): void {
    const now = this.clock.now();
    for (const [index, { provider }] of targets.entries()) {
      if (provider.id !== providerId) continue;
      const health = this.healthOf(targets, index);
      health.circuit.coolDown(pauseMs, now);
      this.noteTurn(health, now);
    }
  }

  /**
   * Pauses every target of a provider that has refused a call because the operator's account has no credit.
   */
  suspend(providerId: string): void {
    const now = this.clock.now();
    for (const [, health] of this.#book.ofProvider(providerId)) {
      health.circuit.suspend(SUSPENSION_MS, now);
      this.noteTurn(health, now);
    }
  }

  /** Lets requests probe every target of a provider that has served a call again. */
  lift(providerId: string): void {
    const now = this.clock.now();
    for (const [, health] of this.#book.ofProvider(providerId)) {
      health.circuit.lift();
      this.noteTurn(health, now);
    }
  }

  /**
   * Lets all queued requests choose again if a target has failed or recovered, and again when its pause is
   * over. A paused target with a free slot is in no queue until then.
   */
  noteTurn(health: TargetHealth, now: number): void {
    if (health.hasTurned(now)) this.review.soon();
    const pauseMs = health.circuit.pauseLeftMs(now);
    if (pauseMs > 0) this.review.in(pauseMs);
  }

  /**
   * Drains a provider, or ends its drain. A drained provider accepts no new requests, and queued requests
   * choose again.
   */
  setDrained(providerId: string, isDrained: boolean): void {
    if (isDrained) this.activity.drain(providerId);
    else this.activity.undrain(providerId);
    this.review.now();
  }

  /** Applies the providers' current configuration. */
  follow(providers: readonly Provider[]): void {
    this.activity.follow(providers);
    this.capacity.follow(providers);
    this.review.now();
  }

  healthOf(targets: readonly Target[], index: number): TargetHealth {
    return this.#book.of(targets)[index]!;
  }
}
