import type { Clock } from '../../base/lib/clock.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { joinRefused, type Refuses } from '../../translation/canonical/refused-word.ts';

/**
 * A member that a target has refused. Times are in milliseconds. `requests` counts those that left it out.
 */
export type LearnedRefusal = {
  provider: string;
  model: string;
  member: string;
  learnedAt: number;
  expiresAt: number;
  requests: number;
};

/** The settings that decide whether refusals are learned, and for how long. */
export type LearningSettings = { learn_refusals: boolean; learned_for_s: number };

export type LearnedRefusalsParts = {
  clock: Clock;
  settings(): LearningSettings;
  /** Receives each refusal when it is learned. */
  learned(refusal: LearnedRefusal): void;
};

/** The maximum number of remembered refusals. The oldest is forgotten first. */
const MAX_REFUSALS = 1_000;

type Upstream = Pick<Target, 'upstreamModel'> & { provider: { id: string } };
type Members = Map<string, LearnedRefusal>;

const keyOf = ({ provider, upstreamModel }: Upstream): string => `${provider.id}\n${upstreamModel}`;

/** Remembers which optional members targets refuse, so that later requests leave them out at once. */
export class LearnedRefusals {
  readonly #parts: LearnedRefusalsParts;
  /** The refusals of each target, by member. */
  readonly #members = new Map<string, Members>();
  #size = 0;

  constructor(parts: LearnedRefusalsParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.settings().learn_refusals;
  }

  /** Returns what the target refuses, with what was learned. */
  of(target: Upstream & Pick<Target, 'refuses'>): Refuses {
    const members = this.#size === 0 ? undefined : this.#members.get(keyOf(target));
    if (members === undefined || !this.isOn) return target.refuses;
    const now = this.#parts.clock.now();
    const words = [...members.values()].flatMap(({ member, expiresAt }) => (expiresAt > now ? [member] : []));
    return words.length === 0 ? target.refuses : joinRefused([[...(target.refuses ?? [])], words]);
  }

  /** Counts a request that left members out. */
  used(target: Upstream, members: readonly string[]): void {
    if (this.#size === 0 || members.length === 0) return;
    const targetMembers = this.#members.get(keyOf(target));
    for (const member of members) {
      const refusal = targetMembers?.get(member);
      if (refusal) refusal.requests++;
    }
  }

  learn(target: Upstream, member: string): void {
    const { clock, settings, learned } = this.#parts;
    this.#forgetOld();
    const key = keyOf(target);
    const now = clock.now();
    const before = this.#members.get(key)?.get(member);
    if (before === undefined && this.#size >= MAX_REFUSALS) this.#forgetOldest();
    const refusal: LearnedRefusal = {
      provider: target.provider.id,
      model: target.upstreamModel,
      member,
      requests: (before?.requests ?? 0) + 1,
      learnedAt: now,
      expiresAt: now + msOf(settings().learned_for_s),
    };
    const members: Members = this.#members.get(key) ?? new Map();
    this.#members.set(key, members.set(member, refusal));
    if (before !== undefined) return;
    this.#size++;
    learned(refusal);
  }

  /** Lists what is remembered, the newest first. */
  list(): LearnedRefusal[] {
    this.#forgetOld();
    return this.#all().toSorted((one, other) => other.learnedAt - one.learnedAt);
  }

  /** Forgets everything and returns the number of refusals. */
  forget(): number {
    const size = this.#size;
    this.#members.clear();
    this.#size = 0;
    return size;
  }

  #all(): LearnedRefusal[] {
    return [...this.#members.values()].flatMap((members) => [...members.values()]);
  }

  #forgetOld(): void {
    if (!this.isOn) this.forget();
    const now = this.#parts.clock.now();
    for (const refusal of this.#all()) if (refusal.expiresAt <= now) this.#drop(refusal);
  }

  #forgetOldest(): void {
    const [oldest] = this.#all().toSorted((one, other) => one.learnedAt - other.learnedAt);
    if (oldest) this.#drop(oldest);
  }

  #drop({ provider, model, member }: LearnedRefusal): void {
    const key = keyOf({ provider: { id: provider }, upstreamModel: model });
    const members = this.#members.get(key);
    if (!members?.delete(member)) return;
    this.#size--;
    if (members.size === 0) this.#members.delete(key);
  }
}

/** Returns the line of a catalog row that makes a learned refusal permanent. */
export const rowOfRefusal = ({ member }: Pick<LearnedRefusal, 'member'>): string => `refuses: [${member}]`;
