import type { Target } from '../../settings/hosts/target.ts';
import type { PlanClass } from '../capacity/plan-class.ts';
import type { HealthBook } from './health-book.ts';
import { attraction } from './rendezvous.ts';
import type { AnswerForm, CostQuestion, TargetHealth } from './target-health.ts';

/** A request that needs a target. */
export type TargetQuestion = {
  /** Sorted by weight, then in the configured order. */
  targets: readonly Target[];
  /** The indexes of the targets that this request has already tried. */
  tried: readonly number[];
  /** True if a target has failed this request. */
  isRetry: boolean;
  /** The account of the caller. */
  account: string;
  planClass: PlanClass;
  delivery: AnswerForm;
  /** Equal for requests of one conversation. 0 for none. */
  affinity: number;
  /** Milliseconds of a monotonic clock. */
  now: number;
};

export type ChooserParts = {
  book: HealthBook;
  isDrained(providerId: string): boolean;
  hasFreeSlot(provider: Target['provider'], question: TargetQuestion): boolean;
  /** Estimates the time until a full provider's next slot is free. */
  likelyWaitMs(provider: Target['provider'], question: TargetQuestion): number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
};

/** The index that stands for no target. */
export const NONE = -1;

/**
 * The first target stays the choice until another is twice as good. The operator's order holds under light
 * load, and equals share a heavy load.
 */
const ORDER_MARGIN = 2;
/** A conversation stays with its cached prompt until another target is four times as good. */
const AFFINITY_MARGIN = 4;

/**
 * Reports whether to leave one target for another. The other one must be better by the margin, or clearly not
 * worse and better with its load included. Load never outweighs a real difference, so an idle target that is
 * ten times as slow is not chosen.
 */
// Called for every request, so the arguments are not wrapped in an object.
function isOutdone(one: TargetHealth, other: TargetHealth, margin: number, about: CostQuestion): boolean {
  const cost = one.cost(about);
  const otherCost = other.cost(about);
  const clear = Math.max(margin, ORDER_MARGIN);
  if (cost > clear * otherCost) return true;
  return otherCost <= clear * cost && cost * (one.inFlight + 1) > margin * otherCost * (other.inFlight + 1);
}

/**
 * Decides which of a model's targets a request tries next. The chooser keeps no state and allocates nothing
 * while it chooses.
 */
export class TargetChooser {
  readonly #parts: ChooserParts;
  /** Valid within one call only. It is reused so that a request needs no list of its own. */
  readonly #group: number[] = [];
  #size = 0;
  #sawFull = false;

  constructor(parts: ChooserParts) {
    this.#parts = parts;
  }

  /**
   * Picks one of the ready targets with the highest weight and a free slot. Returns NONE also if waiting for
   * another target is faster.
   */
  pick(question: TargetQuestion): number {
    const healths = this.#parts.book.of(question.targets);
    this.#gather(question, healths);
    if (this.#size === 0) return NONE;
    const index = this.#size === 1 ? this.#group[0]! : this.#choose(question, healths);
    return this.#sawFull && this.#isWaitingShorter(question, healths, index) ? NONE : index;
  }

  /** Lists the targets that lack only a free slot. A short pause keeps no request from queueing. */
  awaited(question: TargetQuestion): number[] {
    const { targets, now } = question;
    const healths = this.#parts.book.of(targets);
    return [...targets.keys()].filter(
      (index) =>
        healths[index]!.circuit.takesWaiter(now) &&
        this.#isOpen(question, healths, index) &&
        !this.#parts.hasFreeSlot(targets[index]!.provider, question),
    );
  }

  /** Picks a paused target if no other is left: the one whose pause ends first. */
  lastResort(question: TargetQuestion): number {
    const { targets, tried, isRetry, now } = question;
    const healths = this.#parts.book.of(targets);
    let chosen = NONE;
    for (let index = 0; index < targets.length; index++) {
      const health = healths[index]!;
      if (tried.includes(index) || health.circuit.isReady(now) || !health.circuit.takesLastResort()) continue;
      if (this.#parts.isDrained(targets[index]!.provider.id)) continue;
      if (isRetry && !health.takesRetry(now)) continue;
      if (chosen === NONE || health.circuit.pauseLeftMs(now) < healths[chosen]!.circuit.pauseLeftMs(now))
        chosen = index;
    }
    return chosen;
  }

  /** Reports whether a target that was chosen earlier may still be called. */
  stillTakes(question: TargetQuestion, index: number): boolean {
    const { targets, now } = question;
    const healths = this.#parts.book.of(targets);
    if (this.#parts.isDrained(targets[index]!.provider.id)) return false;
    if (healths[index]!.circuit.takesWaiter(now)) return true;
    const isLast = !targets.some((_, other) => this.#isReady(question, healths, other));
    return isLast && healths[index]!.circuit.takesLastResort();
  }

  #choose(question: TargetQuestion, healths: readonly TargetHealth[]): number {
    const { affinity } = question;
    const best = this.#cheaperOfTwo(healths, question);
    const drawnTo = affinity === 0 ? NONE : this.#mostAttractive(healths, question);
    const preferred = drawnTo === NONE ? this.#group[0]! : drawnTo;
    const margin = drawnTo === NONE ? ORDER_MARGIN : AFFINITY_MARGIN;
    return isOutdone(healths[preferred]!, healths[best]!, margin, question) ? best : preferred;
  }

  #isWaitingShorter(question: TargetQuestion, healths: readonly TargetHealth[], chosen: number): boolean {
    const { targets, now } = question;
    const cost = healths[chosen]!.cost(question);
    return this.awaited(question).some((index) => {
      if (!healths[index]!.circuit.isReady(now)) return false;
      const waitMs = this.#parts.likelyWaitMs(targets[index]!.provider, question);
      return ORDER_MARGIN * (waitMs + healths[index]!.cost(question)) < cost;
    });
  }

  #gather(question: TargetQuestion, healths: readonly TargetHealth[]): void {
    const { targets } = question;
    this.#size = 0;
    this.#sawFull = false;
    let weight = 0;
    for (let index = 0; index < targets.length; index++) {
      const target = targets[index]!;
      if (this.#size > 0 && target.weight !== weight) return;
      if (!this.#isReady(question, healths, index)) continue;
      if (!this.#parts.hasFreeSlot(target.provider, question)) {
        this.#sawFull = true;
        continue;
      }
      weight = target.weight;
      this.#group[this.#size++] = index;
    }
  }

  #isReady(question: TargetQuestion, healths: readonly TargetHealth[], index: number): boolean {
    return healths[index]!.circuit.isReady(question.now) && this.#isOpen(question, healths, index);
  }

  /** Reports whether the request may go to the target, whatever its pause. */
  #isOpen(
    { targets, tried, isRetry, now }: TargetQuestion,
    healths: readonly TargetHealth[],
    index: number,
  ): boolean {
    if (tried.includes(index) || (isRetry && !healths[index]!.takesRetry(now))) return false;
    return !this.#parts.isDrained(targets[index]!.provider.id);
  }

  /**
   * Picks the cheaper of two random targets. The choice is nearly as good as the best one, and requests do
   * not all move to one target.
   */
  #cheaperOfTwo(healths: readonly TargetHealth[], question: TargetQuestion): number {
    const { random } = this.#parts;
    const first = Math.floor(random() * this.#size);
    const second = (first + 1 + Math.floor(random() * (this.#size - 1))) % this.#size;
    const index = this.#group[Math.min(first, second)]!;
    const other = this.#group[Math.max(first, second)]!;
    return isOutdone(healths[index]!, healths[other]!, 1, question) ? other : index;
  }

  #mostAttractive(healths: readonly TargetHealth[], { affinity, now }: TargetQuestion): number {
    let chosen = NONE;
    let strongest = NONE;
    for (let place = 0; place < this.#size; place++) {
      const index = this.#group[place]!;
      const health = healths[index]!;
      if (!health.circuit.isSettled(now)) continue; // no conversation moves to a target on trial
      const pull = attraction(affinity, health.hash);
      if (pull > strongest) {
        strongest = pull;
        chosen = index;
      }
    }
    return chosen;
  }
}
