import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../settings/hosts/target.ts';
import { TargetHealth } from './target-health.ts';

type KnownTarget = { health: TargetHealth; account: unknown };

/** The number of targets that are kept for models without a row. The catalog keeps as many models. */
const MAX_PASSED = 1_000;

/**
 * Keeps the health of each target across reloads. A target is the same if provider and name are the same. It
 * starts anew if the provider has a new address or key.
 */
export class HealthBook {
  readonly #byName = new Map<string, KnownTarget>();
  /** The targets whose names come from clients. The oldest is forgotten when there are too many. */
  readonly #passed = new Map<string, KnownTarget>();
  /**
   * Caches the lists, so that requests do not rebuild the names. A reload makes new lists, and the old ones
   * go with their snapshot.
   */
  readonly #byTargets = new WeakMap<readonly Target[], readonly TargetHealth[]>();

  /** Yields the provider's targets, by the provider's own model names. */
  *ofProvider(providerId: string): Iterable<[upstreamModel: string, TargetHealth]> {
    const start = nameOf(providerId, '');
    for (const targets of [this.#byName, this.#passed])
      for (const [name, { health }] of targets)
        if (name.startsWith(start)) yield [name.slice(start.length), health];
  }

  /** Returns the health of the targets, in their order. */
  of(targets: readonly Target[]): readonly TargetHealth[] {
    const cached = this.#byTargets.get(targets);
    if (cached) return cached;
    const healths = targets.map((target) => this.#healthOf(target));
    this.#byTargets.set(targets, healths);
    return healths;
  }

  #healthOf({ provider, upstreamModel, isPassed }: Target): TargetHealth {
    const { baseUrl, apiKey, cloud } = provider;
    const account = { baseUrl, apiKey, plan: cloud?.plan };
    const name = nameOf(provider.id, upstreamModel);
    const within = isPassed ? this.#passed : this.#byName;
    const existingHealth = within.get(name);
    if (existingHealth && isDeepStrictEqual(existingHealth.account, account)) return existingHealth.health;
    const health = new TargetHealth(name);
    if (within === this.#passed && within.size === MAX_PASSED) within.delete(within.keys().next().value!);
    within.set(name, { health, account });
    return health;
  }
}

const nameOf = (providerId: string, upstreamModel: string): string => `${providerId}\n${upstreamModel}`;
