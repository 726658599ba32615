import type { Accounts } from '../accounts/accounts.ts';
import type { Logger } from '../observability/logger.ts';
import type { SnapshotHolder } from '../snapshot-holder.ts';

export type Reload = (
  actor: string,
) => Promise<{ reloaded: true; generation: number } | { problems: string[] }>;

/** Reads the configuration again, by whoever asks: a signal or the admin API. Both leave a trace. */
export const createReload =
  (holder: SnapshotHolder, accounts: Accounts, logger: Logger): Reload =>
  async (actor) => {
    const before = { generation: holder.current.generation };
    const read = await holder.reload();
    if ('problems' in read) {
      logger.error('reload-refused', { actor, problems: read.problems });
      return { problems: read.problems };
    }
    const after = { generation: read.generation };
    await accounts.record('config-reload', 'configuration', { before, after, actor });
    logger.info('reloaded', { actor, ...after });
    return { reloaded: true, generation: read.generation };
  };
