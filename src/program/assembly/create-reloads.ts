import type { LocalServers } from '../../settings/local-servers/local-servers.ts';
import type { Foundation } from './create-foundation.ts';
import type { Reload } from './reload.ts';

type ReloadParts = {
  /** Reads the configuration again, and replaces the snapshot if it is valid. */
  readAgain: Reload;
  /** Hands the providers of the snapshot to the parts that have a state for each provider. */
  applyProviders(): void;
  localServers: Pick<LocalServers, 'look'>;
};

/**
 * Creates the reload of this process and that of all nodes. A reload that succeeds also loads the stored
 * settings and applies the new providers and webhooks. It does not wait for the search for local servers.
 */
export function createReloads(
  { storage, alerts, settings }: Foundation,
  { readAgain, applyProviders, localServers }: ReloadParts,
) {
  const reloadThisNode: Reload = async (actor) => {
    const outcome = await readAgain(actor);
    if (!('reloaded' in outcome)) return outcome;
    await settings.book.load();
    applyProviders();
    localServers.look();
    await alerts.follow();
    return outcome;
  };
  const reloadAllNodes: Reload = async (actor) => {
    const outcome = await reloadThisNode(actor);
    if ('reloaded' in outcome) await storage.nodes?.announceReload();
    return outcome;
  };
  return { reloadThisNode, reload: reloadAllNodes };
}
