import type { AccountStore, StoreHealth } from './accounts/account-store.ts';
import { createAccounts } from './accounts/accounts-service.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { Authenticator } from './auth/authenticate.ts';
import type { ConfigProblem } from './config/config-problem.ts';
import type { Config } from './config/config-schema.ts';
import { handleInference } from './gateway.ts';
import { BodyGate } from './http/body-gate.ts';
import { listen } from './http/listen.ts';
import { createBodyReader } from './http/read-body.ts';
import type { Route } from './http/route.ts';
import { Router } from './http/router.ts';
import { MovableClock, systemClock } from './lib/clock.ts';
import { modelRoutes } from './models/model-routes.ts';
import { EventLoopWatch } from './observability/event-loop-watch.ts';
import { GatewayMetrics } from './observability/gateway-metrics.ts';
import type { Logger } from './observability/logger.ts';
import { observeEdge } from './observability/observe-edge.ts';
import { operationsRoutes } from './observability/operations-routes.ts';
import { createChatDialect } from './protocols/chat-completions/chat-dialect.ts';
import type { Dialect } from './protocols/dialect.ts';
import { simulatorWanted } from './providers/build-providers.ts';
import { ProviderActivity } from './providers/provider-activity.ts';
import { noteUsage } from './settlement/note-usage.ts';
import { embedSimulator } from './simulator/embed-simulator.ts';
import { type ConfigOrigin, readSnapshot, SnapshotHolder } from './snapshot-holder.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';

export type Parts = {
  origin: ConfigOrigin;
  adminToken: (config: Config) => string;
  logger: (config: Config) => Logger;
};

/** The dialects, and where clients speak them. */
const dialects = (): { path: string; dialect: Dialect }[] => [
  { path: '/v1/chat/completions', dialect: createChatDialect() },
];

/** The one place where concrete parts are chosen and wired together. */
export async function assemble({ origin, adminToken, logger: loggerFor }: Parts) {
  const clock = origin.environment['TOLLGATE_TEST_CLOCK'] === '1' ? new MovableClock() : systemClock;
  const spoken = dialects();
  const simulator = embedSimulator();
  const around = {
    spoken: new Set(spoken.map(({ dialect }) => dialect.wire)),
    simulatorFor: (config: Config) => (simulatorWanted(config) ? simulator.start(config.simulator) : null),
  };
  const first = await readSnapshot(origin, { ...around, generation: 1 });
  if ('problems' in first) {
    await simulator.stop();
    return { problems: first.problems as ConfigProblem[] };
  }
  const holder = new SnapshotHolder(origin, around, first);
  const { config } = first;
  const logger = loggerFor(config);
  const store: AccountStore & StoreHealth = await openSqliteStore({
    directory: config.store.data_dir,
    clock,
  });
  const authenticator = new Authenticator(store, clock);
  const activity = new ProviderActivity(clock);
  const eventLoop = new EventLoopWatch();
  const metrics = new GatewayMetrics(eventLoop);
  const gate = new BodyGate({
    capacityBytes: config.server.in_flight_body_mb * 1024 * 1024,
    timeoutMs: config.server.body_timeout_s * 1_000,
  });
  const readBody = createBodyReader(gate);
  const accounts = createAccounts({
    store,
    clock,
    plans: () => holder.current.plans,
    names: () => holder.current.names,
    resolveModelId: (spelling) => holder.current.catalog.resolve(spelling)?.entry.model.id,
    onKeyChanged: (hash) => authenticator.forgetKey(hash),
    onAccountChanged: (id) => authenticator.forgetAccount(id),
  });
  const state = { draining: false };
  const isDraining = () => state.draining;

  async function reload(actor: string) {
    const before = holder.current.generation;
    const read = await holder.reload();
    if ('problems' in read) {
      logger.error('reload-refused', { actor, problems: read.problems });
      return { problems: read.problems };
    }
    const after = read.generation;
    await accounts.record('config-reload', 'configuration', {
      before: { generation: before },
      after: { generation: after },
      actor,
    });
    logger.info('reloaded', { actor, generation: after });
    return { reloaded: true as const, generation: after };
  }

  const gateway = { authenticator, readBody, activity, settle: noteUsage };
  const routes: Route[] = [
    ...spoken.map(
      ({ path, dialect }): Route => ({
        method: 'POST',
        path,
        handle: (exchange) => handleInference(exchange, dialect, gateway),
      }),
    ),
    ...modelRoutes(authenticator),
    ...operationsRoutes({ metrics, store, isDraining }),
    ...adminRoutes({
      adminToken: adminToken(config),
      accounts,
      activity,
      clock,
      movableClock: clock instanceof MovableClock ? clock : undefined,
      balances: () => ({ usedMicrocredits: 0, grantedMicrocredits: 0, purchasedMicrocredits: 0 }),
      readBody,
      reload,
    }),
  ];
  const edge = {
    router: new Router(routes),
    snapshot: () => holder.current,
    observer: observeEdge(logger, metrics),
    isDraining,
  };

  return {
    holder,
    accounts,
    store,
    logger,
    reload,
    metrics,
    listen: () => listen(edge, { hostname: config.server.host, port: config.server.port }),
    startDraining: () => {
      state.draining = true;
    },
    async close() {
      gate.close();
      eventLoop.close();
      await simulator.stop();
      await store.close();
      logger.flush();
    },
  };
}

export type Assembled = Exclude<Awaited<ReturnType<typeof assemble>>, { problems: unknown }>;
