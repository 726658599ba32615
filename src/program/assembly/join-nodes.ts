import { NodeClosed } from '../../base/errors/node-closed.ts';
import { answerProviderViews } from '../../console/admin/provider-views-in-fleet.ts';
import { answerQueue } from '../../console/admin/queue-in-fleet.ts';
import { configHash } from '../../settings/snapshot/config-hash.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';
import { ownNode } from '../../watch/nodes/own-node.ts';
import type { Exposition } from '../../watch/observability/exposition.ts';
import type { Foundation } from './create-foundation.ts';
import type { ServingParts } from './create-serving-parts.ts';
import { followChanges } from './follow-changes.ts';
import { reloadOrLog } from './reload.ts';
import type { Storage } from './storage.ts';

/** Returns the list of nodes of the store, or of this process alone. */
export const nodeDirectoryOf = (
  { nodes, clock }: Storage,
  holder: SnapshotHolder,
  { metrics }: ServingParts,
): NodeDirectory =>
  nodes?.directory ??
  ownNode({
    clock,
    configHash: () => configHash(holder.current.config),
    openRequests: () => metrics.inFlight,
  });

/** Connects this process to the other nodes, if the store has several. */
export async function joinNodes(
  { storage: { nodes }, holder, alerts, live, settings, logger }: Foundation,
  serving: ServingParts,
): Promise<void> {
  if (!nodes) return;
  const { authenticator, drains } = serving;
  const onFailure = (error: unknown) => logger.warn('change-not-followed', { error: String(error) });
  followChanges(nodes, { authenticator, alerts, drains, live, settings: settings.book, onFailure });
  live.announceWith((text) => nodes.announce('live', text));
  await nodes.start({
    capacity: serving.capacity,
    providers: () => holder.current.providers.values(),
    openRequests: () => serving.metrics.inFlight,
    abandon(nodeId) {
      serving.tabs.abandonAll(new NodeClosed(nodeId));
      serving.open.interruptOpen();
    },
    reload: () => void reloadOrLog({ reload: serving.reloadThisNode, logger }, 'another node'),
  });
  // A change can have come between the first reading and the listener.
  await settings.book.load();
}

/** Answers the other workers of the port with what this one knows. */
export function answerWorkers(
  { ground: { worker }, holder, clock }: Foundation,
  serving: ServingParts,
  nodes: NodeDirectory,
): void {
  const fleet = worker?.fleet;
  // The worker that asks sends the format of its own answer.
  fleet?.answer('metrics', (exposition) => serving.metrics.format(exposition as Exposition));
  answerProviderViews(() => holder.current.providers.values(), { ...serving, fleet });
  answerQueue({ ...serving, fleet, nodes, clock });
}
