import type { CommonQueries } from '../common-queries.ts';
import type { Queries } from './database.ts';
import { lookups } from './lookups.ts';

/** Statements that both kinds of databases understand, on Postgres. */
export function commonQueriesOf(queries: Queries): CommonQueries {
  const { all } = lookups(queries);
  return { all, run: (text, values) => queries.run(text, values) };
}
