import { isDeepStrictEqual } from 'node:util';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { ReloadOutcome } from '../../console/admin/reload-outcome.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { Logger } from '../../watch/observability/logger.ts';

export type Reload = (actor: string) => Promise<ReloadOutcome>;

const TARGET = 'configuration';

/** Creates the reload for signals and the admin API. A reload is applied only if the audit log has it. */
export function createReload(holder: SnapshotHolder, accounts: Accounts, logger: Logger): Reload {
  const startConfig = holder.current.config;
  return async (actor) => {
    const outcome = await holder.reload((next, current) =>
      accounts.record('config-reload', TARGET, {
        before: { generation: current.generation },
        after: { generation: next.generation, restart_needed: restartNeeded(startConfig, next.config) },
        actor,
      }),
    );
    if ('problems' in outcome) {
      const { problems } = outcome;
      logger.error('reload-refused', { actor, problems });
      const { generation } = holder.current;
      const change = { before: { generation, problems: [] }, after: { generation, problems }, actor };
      await accounts.record('config-reload-refused', TARGET, change);
      return { problems };
    }
    const { generation } = outcome;
    logger.info('reloaded', { actor, generation });
    const settings = restartNeeded(startConfig, outcome.config);
    if (settings.length > 0) logger.warn('restart-needed', { settings });
    logWarnings(holder, logger);
    const warnings = holder.warnings.map(formatProblem);
    return { reloaded: true, generation, restart_needed: settings, warnings };
  };
}

/** Reloads for a caller that waits for no result. A failure is logged, and never thrown. */
export async function reloadOrLog(
  { reload, logger }: { reload: Reload; logger: Pick<Logger, 'error'> },
  actor: string,
): Promise<void> {
  try {
    await reload(actor);
  } catch (error) {
    if (error instanceof Unavailable) logger.error('reload-failed', { problem: error.sentence });
    else logger.error('reload-failed', { error, stack: error instanceof Error ? error.stack : undefined });
  }
}

/** Logs the settings that are probably unintended. */
export function logWarnings(holder: SnapshotHolder, logger: Logger): void {
  for (const warning of holder.warnings) logger.warn('config-warning', { problem: formatProblem(warning) });
}

/** Lists the settings that have changed since the start and take effect at the next start. */
export const restartNeeded = (startConfig: Config, next: Config): string[] =>
  settingsOfTheStart
    .filter(({ read }) => !isDeepStrictEqual(read(startConfig), read(next)))
    .map(({ field }) => field);

/** The settings that are read only at the start. A change of one takes effect at the next start. */
const settingsOfTheStart: readonly { field: string; read: (config: Config) => unknown }[] = [
  { field: 'server.host', read: ({ server }) => server.host },
  { field: 'server.port', read: ({ server }) => server.port },
  { field: 'server.admin_listen', read: ({ server }) => server.admin_listen },
  { field: 'server.header_timeout_s', read: ({ server }) => server.header_timeout_s },
  { field: 'server.body_timeout_s', read: ({ server }) => server.body_timeout_s },
  { field: 'server.memory_limit_mb', read: ({ server }) => server.memory_limit_mb },
  { field: 'server.workers', read: ({ server }) => server.workers },
  { field: 'server.in_flight_body_mb', read: ({ server }) => server.in_flight_body_mb },
  { field: 'store', read: ({ store: { min_free_mb, max_database_mb, ...where } }) => where },
  { field: 'admin', read: ({ admin }) => admin },
  { field: 'log', read: ({ log }) => log },
  { field: 'telemetry', read: ({ telemetry }) => telemetry },
  { field: 'simulator.tokens_per_second', read: ({ simulator }) => simulator.tokens_per_second },
];
