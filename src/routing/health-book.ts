import type { Target } from '../providers/target.ts';
import { TargetHealth } from './target-health.ts';

/** What is known of each target. It outlives a reload: a target of the same provider and name is the same. */
export class HealthBook {
  readonly #byName = new Map<string, TargetHealth>();
  /** Spares each request putting the names together. A reload makes new lists, and the old ones go with their snapshot. */
  readonly #byTargets = new WeakMap<readonly Target[], readonly TargetHealth[]>();

  /** By the provider's own names of the models. */
  *ofProvider(providerId: string): Iterable<[upstreamModel: string, TargetHealth]> {
    const start = nameOf(providerId, '');
    for (const [name, health] of this.#byName)
      if (name.startsWith(start)) yield [name.slice(start.length), health];
  }

  /** In the order of the targets. */
  of(targets: readonly Target[]): readonly TargetHealth[] {
    const known = this.#byTargets.get(targets);
    if (known) return known;
    const healths = targets.map(({ provider, upstreamModel }) =>
      this.#named(nameOf(provider.id, upstreamModel)),
    );
    this.#byTargets.set(targets, healths);
    return healths;
  }

  #named(name: string): TargetHealth {
    const known = this.#byName.get(name);
    if (known) return known;
    const health = new TargetHealth(name);
    this.#byName.set(name, health);
    return health;
  }
}

const nameOf = (providerId: string, upstreamModel: string): string => `${providerId}\n${upstreamModel}`;
