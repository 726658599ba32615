import { isDeepStrictEqual } from 'node:util';
import type { ReloadOutcome } from '../../console/admin/reload-outcome.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { Logger } from '../../watch/observability/logger.ts';

export type Reload = (actor: string) => Promise<ReloadOutcome>;

const TARGET = 'configuration';

/**
 * Creates the reload for signals and the admin API.
 * A reload that cannot be written to the audit log is not applied.
 */
export function createReload(holder: SnapshotHolder, accounts: Accounts, logger: Logger): Reload {
  const started = holder.current.config;
  return async (actor) => {
    const outcome = await holder.reload((next, current) =>
      accounts.record('config-reload', TARGET, {
        before: { generation: current.generation },
        after: { generation: next.generation, restart_needed: restartNeeded(started, next.config) },
        actor,
      }),
    );
    if ('problems' in outcome) {
      logger.error('reload-refused', { actor, problems: outcome.problems });
      const { generation } = holder.current;
      const before = { generation, problems: [] };
      const after = { generation, problems: outcome.problems };
      await accounts.record('config-reload-refused', TARGET, { before, after, actor });
      return { problems: outcome.problems };
    }
    const { generation } = outcome;
    logger.info('reloaded', { actor, generation });
    const restart_needed = restartNeeded(started, outcome.config);
    if (restart_needed.length > 0) logger.warn('restart-needed', { settings: restart_needed });
    logWarnings(holder, logger);
    return { reloaded: true, generation, restart_needed, warnings: holder.warnings.map(formatProblem) };
  };
}

/** Logs the settings that are probably unintended. */
export function logWarnings(holder: SnapshotHolder, logger: Logger): void {
  for (const warning of holder.warnings) logger.warn('config-warning', { problem: formatProblem(warning) });
}

/** Lists the settings that differ from those of the start and take effect at the next start. */
export const restartNeeded = (started: Config, next: Config): string[] =>
  settingsOfTheStart.filter(({ of }) => !isDeepStrictEqual(of(started), of(next))).map(({ field }) => field);

/** The settings that are read only at the start. A change of one takes effect at the next start. */
const settingsOfTheStart: readonly { field: string; of: (config: Config) => unknown }[] = [
  { field: 'server.host', of: ({ server }) => server.host },
  { field: 'server.port', of: ({ server }) => server.port },
  { field: 'server.admin_listen', of: ({ server }) => server.admin_listen },
  { field: 'server.header_timeout_s', of: ({ server }) => server.header_timeout_s },
  { field: 'server.body_timeout_s', of: ({ server }) => server.body_timeout_s },
  { field: 'server.memory_limit_mb', of: ({ server }) => server.memory_limit_mb },
  { field: 'server.workers', of: ({ server }) => server.workers },
  { field: 'server.in_flight_body_mb', of: ({ server }) => server.in_flight_body_mb },
  { field: 'store', of: ({ store: { min_free_mb, max_database_mb, ...where } }) => where },
  { field: 'admin', of: ({ admin }) => admin },
  { field: 'log', of: ({ log }) => log },
  { field: 'telemetry', of: ({ telemetry }) => telemetry },
  { field: 'simulator.tokens_per_second', of: ({ simulator }) => simulator.tokens_per_second },
];
