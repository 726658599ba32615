import type { Clock } from '../../base/lib/clock.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { joinRefused, type Refuses } from '../../translation/canonical/refused-word.ts';

/** A member that a target has refused. Times are in milliseconds. `requests` counts those that left it out. */
export type LearnedRefusal = {
  provider: string;
  model: string;
  member: string;
  learnedAt: number;
  expiresAt: number;
  requests: number;
};

/** How refusals are learned, as the configuration has it. */
export type LearningSettings = { learn_refusals: boolean; learned_for_s: number };

export type LearnedRefusalsParts = {
  clock: Clock;
  settings(): LearningSettings;
  /** Called with each refusal when it is learned. */
  learned(refusal: LearnedRefusal): void;
};

/** The most refusals that are remembered. The oldest is forgotten first. */
const MOST = 1_000;

type Upstream = Pick<Target, 'upstreamModel'> & { provider: { id: string } };

const keyOf = ({ provider, upstreamModel }: Upstream, member: string): string =>
  `${provider.id}\n${upstreamModel}\n${member}`;

/** Remembers which optional members targets refuse, so that later requests leave them out at once. */
export class LearnedRefusals {
  readonly #parts: LearnedRefusalsParts;
  readonly #known = new Map<string, LearnedRefusal>();

  constructor(parts: LearnedRefusalsParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.settings().learn_refusals;
  }

  /** Returns what the target refuses, with what was learned. */
  of(target: Upstream & Pick<Target, 'refuses'>): Refuses {
    if (this.#known.size === 0) return target.refuses;
    const words = this.#current().flatMap(({ provider, model, member }) =>
      provider === target.provider.id && model === target.upstreamModel ? [member] : [],
    );
    return words.length === 0 ? target.refuses : joinRefused([[...(target.refuses ?? [])], words]);
  }

  /** Counts a request that left members out. */
  used(target: Upstream, members: Iterable<string>): void {
    if (this.#known.size === 0) return;
    for (const member of members) {
      const known = this.#known.get(keyOf(target, member));
      if (known) known.requests++;
    }
  }

  learn(target: Upstream, member: string): void {
    const { clock, settings, learned } = this.#parts;
    const key = keyOf(target, member);
    const now = clock.now();
    const isNew = !this.#known.has(key);
    const requests = (this.#known.get(key)?.requests ?? 0) + 1;
    this.#known.delete(key);
    if (this.#known.size >= MOST) this.#known.delete(this.#known.keys().next().value!);
    const refusal: LearnedRefusal = {
      ...{ provider: target.provider.id, model: target.upstreamModel, member, requests },
      ...{ learnedAt: now, expiresAt: now + settings().learned_for_s * 1_000 },
    };
    this.#known.set(key, refusal);
    if (isNew) learned(refusal);
  }

  /** Lists what is remembered, the newest first. */
  list(): LearnedRefusal[] {
    return this.#current().toReversed();
  }

  /** Forgets everything and returns the number of refusals. */
  forget(): number {
    const { size } = this.#known;
    this.#known.clear();
    return size;
  }

  #current(): LearnedRefusal[] {
    if (!this.isOn) this.#known.clear();
    const now = this.#parts.clock.now();
    for (const [key, { expiresAt }] of this.#known) if (expiresAt <= now) this.#known.delete(key);
    return [...this.#known.values()];
  }
}

/** The line of a catalog row that makes a learned refusal permanent. */
export const rowOfRefusal = ({ member }: Pick<LearnedRefusal, 'member'>): string => `refuses: [${member}]`;
