import type { Target } from '../../settings/hosts/target.ts';
import type { PlanClass } from '../capacity/plan-class.ts';
import type { HealthBook } from './health-book.ts';
import { attraction } from './rendezvous.ts';
import type { AnswerForm, CostQuestion, TargetHealth } from './target-health.ts';

export type Question = {
  /** By weight, then in order. */
  targets: readonly Target[];
  /** The indexes of those that were tried for this request already. */
  tried: readonly number[];
  /** Whether a target has failed it. */
  isRetry: boolean;
  /** Who asks. */
  account: string;
  planClass: PlanClass;
  delivery: AnswerForm;
  /** The same for the same conversation; 0 for none. */
  affinity: number;
  /** Milliseconds of a clock that does not go back. */
  now: number;
};

export type ChooserParts = {
  book: HealthBook;
  isDrained(providerId: string): boolean;
  hasRoom(provider: Target['provider']): boolean;
  /** How long a full provider's next slot is likely to take. */
  likelyWaitMs(provider: Target['provider'], question: Question): number;
  /** From 0 to under 1. */
  random(): number;
};

export const NONE = -1;

/**
 * The first in order stays the choice until another is twice as good: with little to do the operator's order holds, and under load equals
 * share it.
 */
const ORDER_MARGIN = 2;
/** A conversation stays where its prompt is cached until another target is four times as good. */
const AFFINITY_MARGIN = 4;

/**
 * Whether one target is to be left for another: since that one is better by the margin, or no worse by it and better with what both have to
 * do counted in. What they have to do never outweighs a real difference: an idle target is no bargain when it is ten times as slow.
 */
// Called for every request: its arguments are not wrapped up in an object.
function isOutdone(one: TargetHealth, other: TargetHealth, margin: number, about: CostQuestion): boolean {
  const cost = one.cost(about);
  const otherCost = other.cost(about);
  const clear = Math.max(margin, ORDER_MARGIN);
  if (cost > clear * otherCost) return true;
  return otherCost <= clear * cost && cost * (one.inFlight + 1) > margin * otherCost * (other.inFlight + 1);
}

/** Decides which of a model's targets a request goes to next. Remembers nothing itself, and makes nothing while it chooses. */
export class TargetChooser {
  readonly #parts: ChooserParts;
  /** Used within one call only; kept so that a request needs no list of its own. */
  readonly #group: number[] = [];
  #size = 0;
  #sawFull = false;

  constructor(parts: ChooserParts) {
    this.#parts = parts;
  }

  /** Of those with the highest weight that are ready and have room. None, too, where waiting for another's room is the shorter way. */
  pick(question: Question): number {
    const healths = this.#parts.book.of(question.targets);
    this.#gather(question, healths);
    if (this.#size === 0) return NONE;
    const index = this.#size === 1 ? this.#group[0]! : this.#choose(question, healths);
    return this.#sawFull && this.#isWaitingShorter(question, healths, index) ? NONE : index;
  }

  /** Those that lack nothing but room. */
  awaited(question: Question): number[] {
    const healths = this.#parts.book.of(question.targets);
    return [...question.targets.keys()].filter(
      (index) =>
        this.#isReady(question, healths, index) && !this.#parts.hasRoom(question.targets[index]!.provider),
    );
  }

  /** Where every other target is gone: one that is being left alone, the one whose pause ends first. */
  lastResort(question: Question): number {
    const { targets, tried, isRetry, now } = question;
    const healths = this.#parts.book.of(targets);
    let chosen = NONE;
    for (let index = 0; index < targets.length; index++) {
      const health = healths[index]!;
      if (tried.includes(index) || health.isReady(now) || !health.takesLastResort()) continue;
      if (this.#parts.isDrained(targets[index]!.provider.id)) continue;
      if (isRetry && !health.takesRetry(now)) continue;
      if (chosen === NONE || health.pauseLeftMs(now) < healths[chosen]!.pauseLeftMs(now)) chosen = index;
    }
    return chosen;
  }

  /** Whether one that was chosen a while ago may still be called. */
  stillTakes(question: Question, index: number): boolean {
    const { targets, now } = question;
    const healths = this.#parts.book.of(targets);
    if (this.#parts.isDrained(targets[index]!.provider.id)) return false;
    if (healths[index]!.takesWaiter(now)) return true;
    const isLast = !targets.some((_, other) => this.#isReady(question, healths, other));
    return isLast && healths[index]!.takesLastResort();
  }

  #choose(question: Question, healths: readonly TargetHealth[]): number {
    const { affinity } = question;
    const best = this.#cheaperOfTwo(healths, question);
    const drawnTo = affinity === 0 ? NONE : this.#mostAttractive(healths, question);
    const preferred = drawnTo === NONE ? this.#group[0]! : drawnTo;
    const margin = drawnTo === NONE ? ORDER_MARGIN : AFFINITY_MARGIN;
    return isOutdone(healths[preferred]!, healths[best]!, margin, question) ? best : preferred;
  }

  #isWaitingShorter(question: Question, healths: readonly TargetHealth[], chosen: number): boolean {
    const { targets } = question;
    const cost = healths[chosen]!.cost(question);
    return this.awaited(question).some((index) => {
      const waitMs = this.#parts.likelyWaitMs(targets[index]!.provider, question);
      return ORDER_MARGIN * (waitMs + healths[index]!.cost(question)) < cost;
    });
  }

  #gather(question: Question, healths: readonly TargetHealth[]): void {
    const { targets } = question;
    this.#size = 0;
    this.#sawFull = false;
    let weight = 0;
    for (let index = 0; index < targets.length; index++) {
      const target = targets[index]!;
      if (this.#size > 0 && target.weight !== weight) return;
      if (!this.#isReady(question, healths, index)) continue;
      if (!this.#parts.hasRoom(target.provider)) {
        this.#sawFull = true;
        continue;
      }
      weight = target.weight;
      this.#group[this.#size++] = index;
    }
  }

  #isReady(
    { targets, tried, isRetry, now }: Question,
    healths: readonly TargetHealth[],
    index: number,
  ): boolean {
    const health = healths[index]!;
    if (tried.includes(index) || (isRetry && !health.takesRetry(now))) return false;
    return health.isReady(now) && !this.#parts.isDrained(targets[index]!.provider.id);
  }

  /** Two at random, the cheaper of them: nearly as good as the best of all, and no herd runs to one target. */
  #cheaperOfTwo(healths: readonly TargetHealth[], question: Question): number {
    const { random } = this.#parts;
    const first = Math.floor(random() * this.#size);
    const second = (first + 1 + Math.floor(random() * (this.#size - 1))) % this.#size;
    const one = this.#group[Math.min(first, second)]!;
    const other = this.#group[Math.max(first, second)]!;
    return isOutdone(healths[one]!, healths[other]!, 1, question) ? other : one;
  }

  #mostAttractive(healths: readonly TargetHealth[], { affinity, now }: Question): number {
    let chosen = NONE;
    let strongest = NONE;
    for (let place = 0; place < this.#size; place++) {
      const index = this.#group[place]!;
      const health = healths[index]!;
      if (!health.isSettled(now)) continue; // no conversation moves to a target that is being tried
      const pull = attraction(affinity, health.hash);
      if (pull > strongest) {
        strongest = pull;
        chosen = index;
      }
    }
    return chosen;
  }
}
