import { resolve } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { msOf } from '../../base/lib/units.ts';
import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import { Logger } from '../../watch/observability/logger.ts';
import { assemble } from '../assembly/assemble.ts';
import type { AssembledServer } from '../assembly/assembled-server.ts';
import type { Examine } from '../assembly/create-foundation.ts';
import type { GatewayListener } from '../assembly/open-listeners.ts';
import { connectToSupervisor } from '../workers/connect-to-supervisor.ts';
import { serveByWorkers } from '../workers/serve-by-workers.ts';
import { readWorkerAssignment, type WorkerAssignment } from '../workers/worker-assignment.ts';
import { type SupervisorChannel, WorkerFleet } from '../workers/worker-fleet.ts';
import { banner } from './banner.ts';
import { ensureFirstKey, ensureSharedFirstKey } from './first-start.ts';
import { ensureFirstToken } from './first-token.ts';
import { SignalReloads } from './signal-reloads.ts';
import { startPatiently } from './start-patiently.ts';
import { StateFiles } from './state-files.ts';

export type Running = {
  url: string;
  /** Requests a reload of the configuration. The result is logged. */
  reload: () => void;
  /** With notice, the server reports that it drains for `drain_notice_s`, and serves meanwhile. */
  stop(how: { hasNotice: boolean }): Promise<void>;
};

export type ServeOptions = {
  origin: ConfigOrigin;
  examine: Examine;
  write: (text: string) => void;
  /** Returns the number of characters that are not yet written. */
  backlog: () => number;
  isTerminal: boolean;
  /** It is true if a signal has asked the process to stop. */
  isStopping: () => boolean;
};

type Start = Running | { reasons: string[] } | { code: number };

/** Starts the server and prints its address. Returns the reasons, one line each, if it cannot start. */
export async function serve(options: ServeOptions): Promise<Start> {
  const assignment = readWorkerAssignment(options.origin.environment);
  if (!assignment) return startPatiently(() => start(options), options);
  const channel = connectToSupervisor(process);
  try {
    const started = await startPatiently(() => start(options, { assignment, channel }), options);
    if (!('stop' in started)) channel.leave();
    return started;
  } catch (error) {
    channel.leave();
    throw error;
  }
}

async function start(
  { origin, examine, write, backlog, isTerminal }: ServeOptions,
  worker?: { assignment: WorkerAssignment; channel: SupervisorChannel },
): Promise<Start> {
  let adminToken: string | undefined;
  const { assignment, channel } = worker ?? {};
  const logger = (config: Config) => loggerFor(config, { write, backlog, isTerminal });
  const server = await assemble({
    origin,
    examine,
    adminTokenHash: async (config, installation) => {
      const sources = { configured: config.admin.token, files: filesOf(config), installation };
      const { hash, text } = await ensureFirstToken(sources);
      adminToken = text;
      return hash;
    },
    logger,
    worker: assignment && channel && { assignment, fleet: new WorkerFleet(assignment, channel) },
  });
  if ('problems' in server) return { reasons: server.problems.map(formatProblem) };
  if ('workersOf' in server) return serveByWorkers(server.workersOf, logger(server.workersOf));
  await startOrStop(
    () => server.join(),
    () => server.close(),
  );
  const isFirst = (assignment?.number ?? 1) === 1;
  const startListening = isFirst
    ? () => open(server, { adminToken, write, isTerminal })
    : () => Promise.resolve(server.listen());
  const listener = await startOrStop(startListening, () => server.close());
  channel?.send({ kind: 'ready', url: listener.url, port: listener.port });
  // Reading a large configuration leaves much garbage, which would otherwise stay
  // resident until the first load.
  Bun.gc(true);
  const reloads = new SignalReloads(() => reloadBySignal(server));
  return {
    url: listener.url,
    reload: () => reloads.ask(),
    async stop(how) {
      // Reloads end first, since the drain closes the store.
      await reloads.close();
      await drain(server, listener, how);
    },
  };
}

const filesOf = ({ store }: Config): StateFiles => new StateFiles(resolve(store.data_dir));

/**
 * Creates the first key if there is none, listens, and reports the address.
 * Only a terminal shows the secrets.
 */
async function open(
  server: AssembledServer,
  {
    adminToken,
    write,
    isTerminal,
  }: Pick<ServeOptions, 'write' | 'isTerminal'> & { adminToken: string | undefined },
): Promise<GatewayListener> {
  const snapshot = server.snapshot();
  const state = filesOf(snapshot.config);
  const { accounts, firstStart } = server;
  const key = await (firstStart
    ? ensureSharedFirstKey({ ...firstStart, files: state })
    : ensureFirstKey(accounts, state));
  // The banner shows the key only if it still works. It may be revoked or have another brand.
  const firstKey = key !== undefined && (await server.acceptsKey(key)) ? key : undefined;
  const listener = server.listen();
  // The commands call the admin API.
  await state.write('address', listener.adminUrl);
  const url = snapshot.config.server.public_url ?? listener.url;
  const adminUrl = listener.adminUrl === listener.url ? undefined : listener.adminUrl;
  const files = { adminTokenFile: state.path('admin-token'), firstKeyFile: state.path('first-key') };
  if (isTerminal) write(banner({ snapshot, url, adminUrl, adminToken, firstKey, ...files }));
  else reportReady(server, { url, adminUrl, ...files, hasToken: !!adminToken, hasFirstKey: !!firstKey });
  return listener;
}

type ReadyFacts = {
  url: string;
  adminUrl: string | undefined;
  adminTokenFile: string;
  firstKeyFile: string;
  hasToken: boolean;
  hasFirstKey: boolean;
};

/**
 * Logs the start. Logs are often collected, so the line names the files of the
 * secrets instead of the secrets.
 */
function reportReady({ logger, snapshot }: AssembledServer, facts: ReadyFacts): void {
  const { providers, catalog } = snapshot();
  const live = [...providers.values()].filter(({ mode }) => mode === 'live');
  const answering = catalog.entries.filter(isAvailable);
  const simulated = answering.filter(isSimulated);
  logger.info('ready', {
    url: facts.url,
    base_url: `${facts.url}/v1`,
    ...(facts.adminUrl !== undefined && { admin_url: facts.adminUrl }),
    ...(facts.hasToken && { admin_token_file: facts.adminTokenFile }),
    ...(facts.hasFirstKey && { first_key_file: facts.firstKeyFile }),
    providers: live.map(({ id }) => id),
    models: answering.length - simulated.length,
    simulated_models: simulated.length,
  });
  logger.flush();
}

/** Reloads on a signal. A failure is logged, since no caller waits for the result. */
async function reloadBySignal({ reload, logger }: AssembledServer): Promise<void> {
  try {
    await reload('signal');
  } catch (error) {
    if (error instanceof Unavailable) logger.error('reload-failed', { problem: error.sentence });
    else logger.error('reload-failed', { error, stack: error instanceof Error ? error.stack : undefined });
  }
}

function loggerFor(
  { log }: Config,
  { write, backlog, isTerminal }: Pick<ServeOptions, 'write' | 'backlog' | 'isTerminal'>,
): Logger {
  const usual = isTerminal ? 'text' : 'json';
  const format = log.format === 'auto' ? usual : log.format;
  return new Logger({ level: log.level, format, write, backlog, now: Date.now });
}

const POLL_MS = 25;

/**
 * The time for sending the final error to interrupted clients. Clients that do not read are not waited for.
 */
const LAST_WORDS_MS = 1_000;

/**
 * Drains in steps. During the notice the server is not ready but serves, so that load balancers can leave.
 * Then it accepts the connections that have begun, closes the listener and waits up to `drain_s` for requests
 * in flight. It interrupts the remaining ones with an error.
 */
async function drain(
  server: AssembledServer,
  listener: GatewayListener,
  { hasNotice }: { hasNotice: boolean },
): Promise<void> {
  const { drain_s, drain_notice_s } = server.snapshot().config.server;
  const noticeS = hasNotice ? drain_notice_s : 0;
  server.startDraining();
  server.logger.info('drain-started', { notice_s: noticeS, requests: server.inFlight() });
  server.logger.flush();
  if (noticeS > 0) {
    await Bun.sleep(noticeS * 1_000);
    if (listener.turnAway()) await acceptBegun();
  }
  listener.stopAccepting();
  server.logger.info('drain-closed', { drain_s, requests: server.inFlight() });
  server.logger.flush();
  await untilIdle(server, msOf(drain_s));
  const cut = server.inFlight();
  if (cut > 0) {
    server.logger.warn('drain-cut', { requests: cut });
    server.interrupt();
    await untilIdle(server, LAST_WORDS_MS);
    await Bun.sleep(POLL_MS); // the final errors are in the sockets' buffers and need time to be sent
  }
  await listener.close();
  await server.close();
  server.logger.info('stopped', { interrupted: cut });
  server.logger.flush();
}

/** The time in which a connection whose handshake has begun is accepted and its request read. */
const BEGUN_MS = 300;

/** Sleeps in steps, so that a busy process accepts connections and reads requests between them. */
async function acceptBegun(): Promise<void> {
  for (let slept = 0; slept < BEGUN_MS; slept += POLL_MS) await Bun.sleep(POLL_MS);
}

async function untilIdle(server: AssembledServer, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (server.inFlight() > 0 && performance.now() < until) await Bun.sleep(POLL_MS);
}
