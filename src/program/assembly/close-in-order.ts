import type { NodeWatch } from '../../watch/nodes/node-watch.ts';
import type { ConnectedParts } from './assemble-routes.ts';
import type { Foundation } from './create-foundation.ts';
import type { createTelemetry } from './create-telemetry.ts';

export type ClosableParts = Pick<
  ConnectedParts,
  'serving' | 'batches' | 'background' | 'recorded' | 'billing' | 'mail' | 'people' | 'relay'
> & {
  telemetry: ReturnType<typeof createTelemetry>;
  nodeWatch: NodeWatch;
};

/** Closes each part after those that use it. */
export async function closeInOrder(
  { storage, logger, stopSimulator, bounds, alerts }: Foundation,
  {
    serving,
    batches,
    background,
    recorded,
    billing,
    telemetry,
    relay,
    nodeWatch,
    mail,
    people,
  }: ClosableParts,
): Promise<void> {
  await batches.close();
  await background.close();
  recorded.close();
  await billing.worker.close();
  await billing.shortfalls.close();
  await nodeWatch.close();
  await people.failedSignIns.settle();
  await mail.close();
  serving.probes.close();
  serving.providerAlerts.close();
  serving.localServers.close();
  serving.gate.close();
  serving.eventLoop.close();
  serving.overload.close();
  serving.descriptorWatch.close();
  serving.resources.close();
  serving.counter.close();
  serving.largeAnswers.close();
  await serving.tabs.close();
  await serving.requests.close();
  await relay.close();
  await telemetry?.close();
  serving.client.close();
  await serving.sweeper.close();
  await stopSimulator();
  bounds.close();
  await alerts.close();
  await storage.nodes?.stop();
  await storage.close();
  logger.flush();
}
