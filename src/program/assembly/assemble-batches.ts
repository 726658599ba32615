import { SpentMemory } from '../../base/jobs/spent-memory.ts';
import { StartPace } from '../../base/jobs/start-pace.ts';
import { randomText } from '../../base/lib/ids.ts';
import { Sweeper } from '../../base/lib/sweeper.ts';
import { AccountBatches } from '../../batches/collections/account-batches.ts';
import { BatchDirectory } from '../../batches/collections/batch-directory.ts';
import { batchRoutes } from '../../batches/collections/batch-routes.ts';
import {
  BatchService,
  type BatchServiceParts,
  REMEMBERED_MS,
} from '../../batches/collections/batch-service.ts';
import { StagingQueue } from '../../batches/collections/staging-queue.ts';
import { goesNatively } from '../../batches/native/goes-natively.ts';
import { NativeLane } from '../../batches/native/native-lane.ts';
import type { NativeStore } from '../../batches/native/native-store.ts';
import { nativeTransports } from '../../batches/native/native-transports.ts';
import { watchTransport } from '../../batches/native/watch-transport.ts';
import { BatchRunner } from '../../batches/running/batch-runner.ts';
import { createItemRunner } from '../../batches/running/create-item-runner.ts';
import type { BatchStore } from '../../batches/stored/batch-store.ts';
import { collections } from '../../batches/stored/collection.ts';
import type { IdempotencyStore } from '../../batches/stored/idempotency-store.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import { BatchMetrics } from '../../watch/observability/batch-metrics.ts';
import type { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import { logFailure } from '../../watch/observability/log-failure.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { ExchangeTracer } from '../../watch/observability/observe-edge.ts';
import type { RequestKeeper } from '../../watch/observability/request-keeper.ts';
import type { PayloadLogging } from '../../watch/requests/payload-logging.ts';
import { type BatchNodes, followBatchNodes } from './follow-batch-nodes.ts';

/** Notices of changes arrive at once, so this only finds those that were lost. */
const LOOK_EVERY_MS = 5_000;

export type BatchParts = {
  services: Services;
  authenticator: Authenticator;
  store: BatchStore & IdempotencyStore & NativeStore;
  dialects: readonly { path: string; dialect: Dialect }[];
  snapshot: () => Snapshot;
  logger: Logger;
  metrics: GatewayMetrics;
  keeper: RequestKeeper;
  content: Pick<PayloadLogging, 'keepItem'>;
  tracer: ExchangeTracer | undefined;
  activity: Pick<ProviderActivity, 'batchCalled'>;
  /** The other nodes. Undefined if this process is the only one. */
  nodes?: BatchNodes | undefined;
};

/** Assembles the parts of batches: routes, runner and expiry. */
export function assembleBatches(parts: BatchParts) {
  const { services, authenticator, store, snapshot, logger, metrics } = parts;
  const { clock } = services;
  const logFailureOf = (what: string) => (error: unknown) =>
    logger.error('batches-failed', { what, error: String(error) });
  const pace = new StartPace(() => performance.now());
  const spent = new SpentMemory(pace);
  const batchMetrics = new BatchMetrics();
  metrics.add(batchMetrics.all);
  const items = itemRunnerOf(parts, batchMetrics);
  const native = nativeLaneOf(parts, items, logFailureOf('native'));
  const runner = new BatchRunner({
    store,
    clock,
    pace,
    spent,
    run: (item, batch, signal) => (batch.isNative ? native : items).run(item, batch, signal),
    cancelAtProviders: (batch) => native.cancel(batch),
    onEnded: (batch) => native.forget(batch),
    concurrency: () => snapshot().config.limits.batch_concurrent,
    onFailure: logFailureOf('run'),
    refreshEveryMs: parts.nodes && LOOK_EVERY_MS,
  });
  batchMetrics.showBatches(() => runner.active);
  if (parts.nodes) followBatchNodes(parts.nodes, { runner, native, logFailureOf });
  const onCanceled = (id: string) => runner.cancel(id);
  const service = batchServiceOf(parts, {
    spent,
    onCanceled,
    onCreated: (id) => void runner.takeUp(id).catch(logFailureOf('begin')),
  });
  const sweep = ({ now, limit }: { now: number; limit: number }) =>
    store.sweepBatches({ now, forgetBefore: now - REMEMBERED_MS, limit });
  const sweeper = new Sweeper(sweep, clock, logFailureOf('sweep'));
  const directory = new BatchDirectory({ store, runner, clock });
  return {
    routes: batchRoutes(service, authenticator),
    /** The view of batches for the admin API. */
    directory,
    /** The batches of an organization, for the dashboard. */
    ofAccounts: new AccountBatches({ directory, store, clock, onCanceled }),
    /** Paces the start of items. Each live request is reported to it. */
    pace,
    start: () => void runner.start().catch(logFailureOf('begin')),
    /** Starts no more items. */
    stop: () => runner.stop(),
    async close() {
      runner.stop();
      await native.close();
      await runner.close();
      await sweeper.close();
    },
  };
}

/** Creates the service behind the routes of batches. */
function batchServiceOf(
  { services, store }: BatchParts,
  events: Pick<BatchServiceParts, 'spent' | 'onCreated' | 'onCanceled'>,
): BatchService {
  const { ledger, limits, storage, clock, readBody } = services;
  const staging = new StagingQueue(store);
  return new BatchService({
    store,
    ledger,
    limits,
    storage,
    clock,
    keys: store,
    staging,
    readBody,
    goesNatively,
    ...events,
  });
}

/** Creates the lane that runs items through the providers' own batches. */
const nativeLaneOf = (
  { services, store, snapshot, activity }: BatchParts,
  { pack, deliver, run }: ReturnType<typeof itemRunnerOf>,
  onFailure: (error: unknown) => void,
): NativeLane =>
  new NativeLane({
    store,
    pack,
    deliver,
    runAlone: run,
    onFailure,
    ledger: services.ledger,
    clock: services.clock,
    newMark: () => randomText(22),
    transportOf: (wire) => watchTransport(nativeTransports[wire], activity.batchCalled),
    providerOf: (id) => snapshot().providers.get(id),
    providers: () => snapshot().providers,
  });

/** Creates the runner of single items. It reports each attempt to the metrics, the tracer and the records. */
const itemRunnerOf = (parts: BatchParts, batchMetrics: BatchMetrics) =>
  createItemRunner({
    services: parts.services,
    authenticator: parts.authenticator,
    snapshot: parts.snapshot,
    dialects: { messages: dialectAt(parts, 'messages'), chat: dialectAt(parts, 'chat') },
    opened: (exchange) => parts.tracer?.begin(exchange),
    observe: (exchange, refusal, isRetried) => {
      batchMetrics.countAttempt(exchange, refusal?.code);
      parts.metrics.detachedFinished(exchange);
      parts.tracer?.finished(exchange, performance.now() - exchange.startedAtMs);
      if (isRetried) parts.keeper.countRetried(exchange);
      else parts.keeper.keepItem(exchange);
    },
    keepContent: (exchange, request, answer) => parts.content.keepItem(exchange, request, answer),
    onFailure: ({ requestId }, error) => logFailure(parts.logger, { request_id: requestId }, error),
  });

export type Batches = ReturnType<typeof assembleBatches>;

function dialectAt({ dialects }: BatchParts, collection: keyof typeof collections): Dialect {
  const { itemPath } = collections[collection];
  const route = dialects.find(({ path }) => path === itemPath);
  if (!route) throw new Error(`no dialect has the path ${itemPath}`);
  return route.dialect;
}
