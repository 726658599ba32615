import type { Database } from '../../database.ts';
import type { Queries } from '../../queries.ts';

type OpenTransaction = AsyncDisposable & { commit(): Promise<void> };

/** Does the work in a transaction that stays open until it is committed or out of scope. */
export async function openTransaction(
  database: Database,
  work: (queries: Queries) => Promise<unknown>,
): Promise<OpenTransaction> {
  const done = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const committed = database.transaction(async (queries) => {
    await work(queries);
    done.resolve();
    await mayCommit.promise;
  });
  await Promise.race([done.promise, committed]);
  const commit = () => {
    mayCommit.resolve();
    return committed;
  };
  return { commit, [Symbol.asyncDispose]: commit };
}
