import { resolve } from 'node:path';
import { steadyClock } from '../../base/lib/clock.ts';
import { StartTurns } from '../../base/lib/start-turns.ts';
import { Sweeper } from '../../base/lib/sweeper.ts';
import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { DashboardWindows } from '../../console/dashboard/dashboard-windows.ts';
import { EventStreams } from '../../console/dashboard/event-streams.ts';
import { isMemberIn } from '../../customers/people/is-member-in.ts';
import { BodyGate } from '../../edge/http/body-gate.ts';
import { createBodyReader } from '../../edge/http/create-body-reader.ts';
import { createRawBodyReader } from '../../edge/http/create-raw-body-reader.ts';
import { UnderWay } from '../../edge/http/under-way.ts';
import { createFormReader } from '../../edge/uploads/create-form-reader.ts';
import { UploadSpace } from '../../edge/uploads/upload-space.ts';
import { ConversationHolds } from '../../inference/conversation/conversation-holds.ts';
import { NamedConversations } from '../../inference/conversation/named-conversations.ts';
import { Loads } from '../../inference/responses/loads.ts';
import { Postings } from '../../inference/settlement/postings.ts';
import { Tabs } from '../../inference/settlement/tabs.ts';
import { type AnswerThread, LargeAnswers } from '../../inference/stream/large-answers.ts';
import { OpenAnswers } from '../../inference/stream/open-answers.ts';
import { Limits } from '../../money/limits/limits.ts';
import { LocalServers } from '../../settings/local-servers/local-servers.ts';
import { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { HealthProbes } from '../../upstream/calling/health-probes.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import { FaultRecorder } from '../../watch/faults/fault-recorder.ts';
import { faultOccurrence } from '../../watch/faults/fault-words.ts';
import { LiveRequests } from '../../watch/live/live-requests.ts';
import { EventLoopWatch } from '../../watch/observability/event-loop-watch.ts';
import { failureReporter } from '../../watch/observability/failure-reporter.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { accountsOf } from './accounts-of.ts';
import { assembleRequests } from './assemble-requests.ts';
import { createAuthenticator } from './create-authenticator.ts';
import type { Foundation } from './create-foundation.ts';
import { createMemoryBudget } from './create-memory-budget.ts';
import { createReloads } from './create-reloads.ts';
import { createUpstream } from './create-upstream.ts';
import { DrainFollower } from './drain-follower.ts';
import { logSpool } from './open-ledger.ts';
import { providerApplication } from './provider-application.ts';
import { createReload, logWarnings } from './reload.ts';
import { watchProviders } from './watch-providers.ts';

/** Creates the parts that serve requests. */
export function createServingParts(foundation: Foundation) {
  const { ground, holder, config, clock, storage, logger } = foundation;
  const { store } = storage;
  const limits = new Limits(storage.gate);
  const authenticator = createAuthenticator({ store, ledger: storage.ledger, clock, limits });
  const eventLoop = new EventLoopWatch();
  const underWay = new UnderWay();
  const yieldQueue = new YieldQueue();
  const { limitBytes, budget } = createMemoryBudget(config, ground.worker?.assignment.count);
  const gate = new BodyGate({ underWay, budget, timeoutMs: msOf(config.server.body_timeout_s) });
  const accounts = accountsOf({ ...foundation, store, isMember: isMemberIn(storage.people) }, authenticator);
  const upstream = createUpstream({
    wallClock: clock,
    eventLoop,
    logger,
    limitBytes,
    memory: budget,
    yieldQueue,
    learning: () => holder.current.config.routing,
  });
  const providerAlerts = watchProviders(foundation, upstream);
  const probes = new HealthProbes({
    activity: upstream.activity,
    resources: upstream.resources,
    leaveAlone: (providerId, pauseMs) => {
      for (const { targets } of holder.current.catalog.entries)
        upstream.routing.leaveAlone(targets, providerId, pauseMs);
    },
  });
  logWarnings(holder, logger);
  const loads = new Loads({ gate, count: (...load) => limits.load(...load) });
  const postings = postingsOf(foundation);
  const localServers = localServersOf(foundation);
  const drains = drainsOf(foundation, upstream.routing);
  const applyProviders = providerApplication(foundation, { routing: upstream.routing, probes, drains });
  foundation.settings.book.onServed = applyProviders;
  return {
    authenticator,
    limits,
    accounts,
    ...requestsOf(foundation, upstream),
    eventLoop,
    gate,
    ...readersOf(foundation, gate, yieldQueue),
    yieldQueue,
    starts: new StartTurns(),
    windows: new DashboardWindows(),
    events: eventStreamsOf(foundation),
    loads,
    named: namedConversationsOf(foundation, loads, postings),
    ...upstream,
    probes,
    drains,
    providerAlerts,
    localServers,
    ...createReloads(foundation, {
      readAgain: createReload(holder, accounts, logger),
      applyProviders,
      localServers,
    }),
    underWay,
    open: new OpenAnswers(),
    largeAnswers: new LargeAnswers({ start: startAnswerThread, yieldQueue }),
    counter: new TokenCounter(),
    tabs: new Tabs(postings, sweepFailed(logger, 'holds')),
    sweeper: sweeperOf(foundation),
    state: { draining: false },
  };
}

function namedConversationsOf(
  { storage, clock, logger }: Foundation,
  loads: Loads,
  postings: Postings,
): NamedConversations {
  const store = storage.conversations;
  const holds = new ConversationHolds({
    store,
    clock,
    whenMoved: (requestId) => postings.whenMoved(requestId),
    onFailure: sweepFailed(logger, 'conversation holds'),
  });
  return new NamedConversations({ store, holds, loads, clock });
}

const drainsOf = ({ storage, holder, logger }: Foundation, routing: Pick<Routing, 'setDrained'>) =>
  new DrainFollower({
    store: storage.drains,
    providers: () => holder.current.providers.values(),
    setDrained: (id, isDrained) => routing.setDrained(id, isDrained),
    onFailure: (error) => logger.warn('change-not-followed', { error: String(error) }),
  });

const sweeperOf = ({ storage, clock, logger }: Foundation): Sweeper =>
  new Sweeper(
    async (options) => {
      const { conversations, background, recordings, store } = storage;
      const removed = [
        await conversations.sweepConversations(options),
        await background.sweepBackground(options),
        await recordings.sweepRecordings(options),
        await store.sweepResponses(options),
      ];
      return Math.max(...removed);
    },
    clock,
    sweepFailed(logger, 'responses'),
  );

const eventStreamsOf = ({ storage: { store }, live, clock, logger }: Foundation): EventStreams => {
  const now = () => clock.now();
  const onFailure = (error: unknown) =>
    logger.warn('nodes-failed', { what: 'live requests', problem: String(error) });
  return new EventStreams({ board: live, follower: new LiveRequests({ store, now, onFailure }), now });
};

/** Creates the records of requests, and the records of the faults that their calls find. */
function requestsOf(
  { storage, live, clock, logger, holder }: Foundation,
  { activity, overload }: ReturnType<typeof createUpstream>,
) {
  const { store, usage, payloads } = storage;
  const faults = new FaultRecorder({
    store: storage.faults,
    now: () => clock.now(),
    began: (fault) => live.publish({ type: 'fault', account: null, data: faultOccurrence(fault) }),
    onFailure: failureReporter({ logger, clock }, 'request-sums-not-written', 'faults'),
  });
  activity.observeCalls(faults.ended);
  const parts = { store, usage, payloads, sums: storage, faults, clock, logger, holder };
  return { faults, requests: assembleRequests(parts, overload) };
}

const localServersOf = ({ ground, holder, logger }: Foundation): LocalServers =>
  new LocalServers({
    environment: ground.origin.environment,
    config: () => holder.current.config,
    take: (found) => holder.take(found),
    report: (event, fields) => logger.info(event, fields),
  });

const postingsOf = ({ storage: { store, ledger, spool }, clock, logger }: Foundation): Postings =>
  new Postings({
    ledger,
    spool,
    now: () => steadyClock(clock).now(),
    storeProblem: () => store.problem(),
    log: logSpool(logger),
  });

/** Keeps uploads in a folder of the data directory, within the space that the configuration allows. */
const uploadSpaceOf = ({ config, holder, logger }: Foundation): UploadSpace =>
  new UploadSpace({
    directory: resolve(config.store.data_dir, 'uploads'),
    maxBytes: () => holder.current.config.limits.upload_disk_mb * MEGABYTE,
    onFailure: (error) => logger.error('upload-not-stored', { error: String(error) }),
  });

function readersOf(foundation: Foundation, gate: BodyGate, yieldQueue: YieldQueue) {
  const readBody = createBodyReader(gate, yieldQueue);
  const uploads = uploadSpaceOf(foundation);
  const readForm = createFormReader({ gate, space: uploads, readJson: readBody });
  return { readBody, readBytes: createRawBodyReader(gate), readForm, uploads };
}

const startAnswerThread = (): AnswerThread =>
  new Worker(new URL('./read-answers-in-thread.ts', import.meta.url).href);

const sweepFailed = (logger: Logger, what: string) => (error: unknown) =>
  logger.error('sweep-failed', { what, error: String(error) });

export type ServingParts = ReturnType<typeof createServingParts>;
