import type { CommonQueries } from '../common-queries.ts';
import type { Database, Queries } from './database.ts';
import { lookups } from './lookups.ts';

/** Statements that both kinds of databases understand, on Postgres. */
export function commonQueriesOf(database: Queries & Pick<Database, 'transaction'>): CommonQueries {
  const { all } = lookups(database);
  return {
    all,
    run: (text, values) => database.run(text, values),
    runTogether: (changes) =>
      database.transaction(async (queries) => {
        for (const [text, values] of changes) await queries.run(text, values);
      }),
  };
}
