import type { HealthProbes } from '../../upstream/calling/health-probes.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { Foundation } from './create-foundation.ts';
import type { DrainFollower } from './drain-follower.ts';

type ProviderParts = {
  routing: Pick<Routing, 'follow'>;
  probes: Pick<HealthProbes, 'follow'>;
  drains: Pick<DrainFollower, 'follow'>;
};

/**
 * Returns a function that hands the providers of the snapshot to the parts with a state for each provider.
 */
export const providerApplication =
  ({ holder, storage }: Foundation, { routing, probes, drains }: ProviderParts) =>
  (): void => {
    const { providers } = holder.current;
    routing.follow([...providers.values()]);
    storage.nodes?.follow();
    drains.follow();
    probes.follow(providers);
  };
