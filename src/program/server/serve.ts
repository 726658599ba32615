import { resolve } from 'node:path';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import { Logger } from '../../watch/observability/logger.ts';
import { assemble } from '../assembly/assemble.ts';
import type { AssembledServer } from '../assembly/assembled-server.ts';
import type { Examine } from '../assembly/create-foundation.ts';
import type { GatewayListener } from '../assembly/open-listeners.ts';
import { reloadOrLog } from '../assembly/reload.ts';
import { connectToSupervisor } from '../workers/connect-to-supervisor.ts';
import { serveByWorkers } from '../workers/serve-by-workers.ts';
import { readWorkerAssignment, type WorkerAssignment } from '../workers/worker-assignment.ts';
import { type SupervisorChannel, WorkerFleet } from '../workers/worker-fleet.ts';
import { banner } from './banner.ts';
import { drain } from './drain.ts';
import { ensureFirstKey, ensureSharedFirstKey } from './ensure-first-key.ts';
import { ensureFirstToken } from './ensure-first-token.ts';
import { reportReady } from './report-ready.ts';
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

/** The output of the log and of the start message. */
type ServerOutput = {
  write: (text: string) => void;
  /** Returns the number of characters that are not yet written. */
  backlog: () => number;
  isTerminal: boolean;
};

export type ServeOptions = ServerOutput & {
  origin: ConfigOrigin;
  examine: Examine;
  /** Reports whether a signal has asked the process to stop. */
  isStopping: () => boolean;
};

type Start = Running | { reasons: string[] } | { code: number };

/** Starts the server and prints its address. Returns the reasons, one line each, if it cannot start. */
export async function serve(options: ServeOptions): Promise<Start> {
  const assignment = readWorkerAssignment(options.origin.environment);
  if (!assignment) return startPatiently(() => start(options), options);
  const channel = connectToSupervisor(process);
  // A start that is repeated keeps the fleet, since each fleet listens to the channel.
  const fleet = new WorkerFleet(assignment, channel);
  try {
    const started = await startPatiently(() => start(options, { assignment, channel, fleet }), options);
    if (!('stop' in started)) channel.leave();
    return started;
  } catch (error) {
    channel.leave();
    throw error;
  }
}

async function start(
  { origin, examine, write, backlog, isTerminal }: ServeOptions,
  worker?: { assignment: WorkerAssignment; channel: SupervisorChannel; fleet: WorkerFleet },
): Promise<Start> {
  // The assembly opens the store, which several nodes ask for their token.
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
    worker,
  });
  if ('problems' in server) return { reasons: server.problems.map(formatProblem) };
  if ('workersOf' in server) return serveByWorkers(server.workersOf, logger(server.workersOf));
  const close = () => server.close();
  await startOrStop(() => server.join(), close);
  const isFirst = (assignment?.number ?? 1) === 1;
  const firstKey = isFirst ? await startOrStop(() => ensureUsableFirstKey(server), close) : undefined;
  const listener = await startOrStop(() => server.listen(), close);
  // Requests can be under way from here on.
  if (isFirst)
    await startOrStop(
      () => announce(server, listener, { write, isTerminal, adminToken, firstKey }),
      () => drain(server, listener, { hasNotice: false }),
    );
  channel?.send({ kind: 'ready', url: listener.url, port: listener.port });
  // Reading a large configuration leaves much garbage, which would otherwise stay resident until the first
  // load.
  Bun.gc(true);
  const reloads = new SignalReloads(() => reloadOrLog(server, 'signal'));
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
 * Creates the first key if there is none. Returns the key if it still works: it may be revoked, or have
 * another brand.
 */
async function ensureUsableFirstKey(server: AssembledServer): Promise<string | undefined> {
  const files = filesOf(server.snapshot().config);
  const { accounts, firstStart } = server;
  const key = await (firstStart
    ? ensureSharedFirstKey({ ...firstStart, files })
    : ensureFirstKey(accounts, files));
  return key !== undefined && (await server.acceptsKey(key)) ? key : undefined;
}

type Announcement = {
  write: ServerOutput['write'];
  isTerminal: boolean;
  adminToken: string | undefined;
  firstKey: string | undefined;
};

/** Writes and reports the address. Only a terminal shows the secrets. */
async function announce(
  server: AssembledServer,
  listener: GatewayListener,
  { write, isTerminal, adminToken, firstKey }: Announcement,
): Promise<void> {
  const snapshot = server.snapshot();
  const files = filesOf(snapshot.config);
  // The commands call the admin API.
  await files.write('address', listener.adminUrl);
  const url = snapshot.config.server.public_url ?? listener.url;
  const adminUrl = listener.adminUrl === listener.url ? undefined : listener.adminUrl;
  const paths = { adminTokenFile: files.path('admin-token'), firstKeyFile: files.path('first-key') };
  if (isTerminal) write(banner({ snapshot, url, adminUrl, adminToken, firstKey, ...paths }));
  else reportReady(server, { url, adminUrl, ...paths, hasToken: !!adminToken, hasFirstKey: !!firstKey });
}

function loggerFor({ log }: Config, { write, backlog, isTerminal }: ServerOutput): Logger {
  const usual = isTerminal ? 'text' : 'json';
  const format = log.format === 'auto' ? usual : log.format;
  return new Logger({ level: log.level, format, write, backlog, now: Date.now });
}
