import { resolve } from 'node:path';
import { listenProblem, operatorsListenProblem } from '../../edge/http/listen-problem.ts';
import { tryToListen } from '../../edge/http/try-to-listen.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { listenAddressOf } from '../../settings/config/listen-address-of.ts';
import { prepareDirectory } from '../../store/sqlite/data-directory.ts';
import { lockDirectory } from '../../store/sqlite/directory-lock.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { Supervisor } from './supervisor.ts';

export type SupervisedServer = {
  url: string;
  reload(): void;
  stop(how: { hasNotice: boolean }): Promise<void>;
};

/**
 * Serves with several processes. This process holds the lock of the data directory, and each worker has a
 * directory of its own below it. Returns the exit code if the first worker does not start.
 */
export async function serveByWorkers(
  { server: { workers, host, port, admin_listen }, store }: Config,
  logger: Logger,
): Promise<SupervisedServer | { code: number }> {
  const directory = resolve(store.data_dir);
  prepareDirectory(directory);
  const lock = lockDirectory(directory);
  try {
    await refuseUsedPort({ hostname: host, port }, (error) => listenProblem(`${host}:${port}`, error));
    if (admin_listen !== null)
      await refuseUsedPort(listenAddressOf(admin_listen), (error) =>
        operatorsListenProblem(admin_listen, error),
      );
    const supervisor = new Supervisor({ count: workers, logger });
    const started = await startStoppably(supervisor);
    if ('code' in started) {
      lock.release();
      return started;
    }
    return {
      url: started.url,
      reload: () => supervisor.reload(),
      async stop({ hasNotice }) {
        await supervisor.stop(hasNotice ? 'SIGTERM' : 'SIGINT');
        lock.release();
        logger.flush();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Starts the workers. A signal to stop ends the start, such as while the first one awaits its database. */
async function startStoppably(supervisor: Supervisor): ReturnType<Supervisor['start']> {
  const stops = STOP_SIGNALS.map((signal) => [signal, () => void supervisor.stop(signal)] as const);
  for (const [signal, stop] of stops) process.on(signal, stop);
  try {
    return await supervisor.start();
  } finally {
    for (const [signal, stop] of stops) process.off(signal, stop);
  }
}

/**
 * Workers share the port. The system would let another server's workers share it too, so the port is bound
 * alone first. `explain` returns the error for one that cannot be bound.
 */
async function refuseUsedPort(
  { hostname, port }: { hostname: string; port: number },
  explain: (error: Error) => unknown,
): Promise<void> {
  const code = port === 0 ? undefined : await tryToListen(hostname, port);
  if (code === undefined) return;
  throw explain(Object.assign(new Error(`Nothing can listen on port ${port}`), { code }));
}
