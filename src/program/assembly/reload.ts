import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../api/observability/logger.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';

export type Reload = (
  actor: string,
) => Promise<{ reloaded: true; generation: number } | { problems: string[] }>;

/** Creates the reload for signals and the admin API. A reload that cannot be written to the audit log is not applied. */
export const createReload =
  (holder: SnapshotHolder, accounts: Accounts, logger: Logger): Reload =>
  async (actor) => {
    const { config } = holder.current;
    const read = await holder.reload((next, current) =>
      accounts.record('config-reload', 'configuration', {
        before: { generation: current.generation },
        after: { generation: next.generation },
        actor,
      }),
    );
    if ('problems' in read) {
      logger.error('reload-refused', { actor, problems: read.problems });
      return { problems: read.problems };
    }
    logger.info('reloaded', { actor, generation: read.generation });
    const waiting = settingsOfTheStart.filter(({ of }) => !isDeepStrictEqual(of(config), of(read.config)));
    if (waiting.length > 0) logger.warn('restart-needed', { settings: waiting.map(({ field }) => field) });
    return { reloaded: true, generation: read.generation };
  };

/** The settings that are read only at the start. A change of one takes effect at the next start. */
const settingsOfTheStart: readonly { field: string; of: (config: Config) => unknown }[] = [
  { field: 'server.host', of: ({ server }) => server.host },
  { field: 'server.port', of: ({ server }) => server.port },
  { field: 'server.admin_listen', of: ({ server }) => server.admin_listen },
  { field: 'server.header_timeout_s', of: ({ server }) => server.header_timeout_s },
  { field: 'server.body_timeout_s', of: ({ server }) => server.body_timeout_s },
  { field: 'server.memory_limit_mb', of: ({ server }) => server.memory_limit_mb },
  { field: 'server.in_flight_body_mb', of: ({ server }) => server.in_flight_body_mb },
  { field: 'store', of: ({ store: { min_free_mb, ...where } }) => where },
  { field: 'admin', of: ({ admin }) => admin },
  { field: 'log', of: ({ log }) => log },
  { field: 'telemetry', of: ({ telemetry }) => telemetry },
  { field: 'simulator.tokens_per_second', of: ({ simulator }) => simulator.tokens_per_second },
];
