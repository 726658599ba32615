import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../settings/hosts/target.ts';
import { TargetHealth } from './target-health.ts';

type Known = { health: TargetHealth; account: unknown };

/**
 * What is known of each target. It outlives a reload: a target of the same provider and name is the same, unless the provider has another
 * address or another key now, of which nothing is known yet.
 */
export class HealthBook {
  readonly #byName = new Map<string, Known>();
  /** Spares each request putting the names together. A reload makes new lists, and the old ones go with their snapshot. */
  readonly #byTargets = new WeakMap<readonly Target[], readonly TargetHealth[]>();

  /** By the provider's own names of the models. */
  *ofProvider(providerId: string): Iterable<[upstreamModel: string, TargetHealth]> {
    const start = nameOf(providerId, '');
    for (const [name, { health }] of this.#byName)
      if (name.startsWith(start)) yield [name.slice(start.length), health];
  }

  /** In the order of the targets. */
  of(targets: readonly Target[]): readonly TargetHealth[] {
    const known = this.#byTargets.get(targets);
    if (known) return known;
    const healths = targets.map((target) => this.#healthOf(target));
    this.#byTargets.set(targets, healths);
    return healths;
  }

  #healthOf({ provider, upstreamModel }: Target): TargetHealth {
    const { baseUrl, apiKey, aws } = provider;
    const account = { baseUrl, apiKey, aws };
    const name = nameOf(provider.id, upstreamModel);
    const known = this.#byName.get(name);
    if (known && isDeepStrictEqual(known.account, account)) return known.health;
    const health = new TargetHealth(name);
    this.#byName.set(name, { health, account });
    return health;
  }
}

const nameOf = (providerId: string, upstreamModel: string): string => `${providerId}\n${upstreamModel}`;
