import { Database } from '../../src/store/postgres/database.ts';
import type { Queries } from '../../src/store/postgres/queries.ts';
import { postgresEntries } from '../support/entries-sql.ts';
import { databaseOf } from '../support/postgres/database-of.ts';

/** The tables in which a server that has ended cleanly leaves no row. */
type LeftOnPostgres = { holds: number; held: number; places: number; nodes: number };

async function askPostgres<Answer>(
  dataDirectory: string,
  ask: (database: Queries) => Promise<Answer>,
): Promise<Answer> {
  const database = new Database({ url: (await databaseOf(dataDirectory))!, maxConnections: 1 });
  try {
    return await ask(database);
  } finally {
    await database.close();
  }
}

/** Counts open holds, held credit, places of requests and nodes that are not closed. */
export const leftOnPostgres = (dataDirectory: string): Promise<LeftOnPostgres> =>
  askPostgres(dataDirectory, async (database) => {
    const row = await database.first(`
      SELECT (SELECT count(*) FROM open_hold) AS holds,
        (SELECT coalesce(sum(held), 0) FROM bucket) AS held,
        (SELECT coalesce(sum(under_way), 0) FROM limit_state) AS places,
        (SELECT count(*) FROM node WHERE closed_at IS NULL) AS nodes`);
    return {
      holds: Number(row?.holds),
      held: Number(row?.held),
      places: Number(row?.places),
      nodes: Number(row?.nodes),
    };
  });

/** Returns the ids of the requests that were charged, once for each charge. */
export const billedOnPostgres = (dataDirectory: string): Promise<string[]> =>
  askPostgres(dataDirectory, async (database) => {
    const rows = await database.all(`SELECT request_id FROM ${postgresEntries} e WHERE kind = 'usage'`);
    return rows.map(({ request_id }) => String(request_id));
  });
