import type { LocalServers } from '../../settings/local-servers/local-servers.ts';
import type { HealthProbes } from '../../upstream/calling/health-probes.ts';
import type { Foundation } from './create-foundation.ts';
import type { createUpstream } from './create-upstream.ts';
import type { Reload } from './reload.ts';

type ReloadParts = {
  reload: Reload;
  upstream: ReturnType<typeof createUpstream>;
  probes: HealthProbes;
  localServers: LocalServers;
};

/** Creates the reloads of this process and of all nodes, after which every part follows the configuration. */
export function createReloads(
  { holder, storage, alerts, settings }: Foundation,
  { reload, upstream, probes, localServers }: ReloadParts,
) {
  const followProviders = () => {
    upstream.routing.follow(holder.current.providers.values());
    storage.nodes?.follow();
    probes.follow(holder.current.providers);
  };
  settings.book.follow = followProviders;
  const reloadOwn = async (actor: string) => {
    const outcome = await reload(actor);
    if (!('reloaded' in outcome)) return outcome;
    await settings.book.load();
    followProviders();
    localServers.look();
    await alerts.follow();
    return outcome;
  };
  return {
    reloadOwn,
    /** Reloads the configuration of this process, and then that of the other nodes. */
    async reload(actor: string) {
      const outcome = await reloadOwn(actor);
      if ('reloaded' in outcome) await storage.nodes?.announceReload();
      return outcome;
    },
  };
}
