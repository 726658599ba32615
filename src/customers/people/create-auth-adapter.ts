import type { CleanedWhere, CustomAdapter } from '@better-auth/core/db/adapter';
import { createAdapterFactory } from 'better-auth/adapters';
import type { Fields } from '../../base/schema/json-type.ts';
import { fieldsOf, tableOf, testsOf, tokenIn, toRow, withToken } from './auth-rows.ts';
import type { PeopleRow, PeopleStore, PeopleWrite } from './people-store.ts';
import type { PeopleTable } from './people-tables.ts';
import { withoutUnverified } from './person-writes.ts';

/**
 * Creates the store of people as the sign-in library sees it. Tokens of providers are not kept, since nothing
 * uses them.
 */
export const createAuthAdapter = (store: PeopleStore, sight: AuthSight = {}) =>
  createAdapterFactory({
    config: { adapterId: 'people', supportsJSON: false, transaction: false },
    adapter: ({ getFieldName }) => adapterOn(store, getFieldName, sight),
  });

/**
 * The rows that the library sees. With `verifiedOnly`, an address finds only the person who has verified it.
 */
export type AuthSight = { verifiedOnly?: boolean };

type ColumnOf = (place: { model: string; field: string }) => string;

function adapterOn(store: PeopleStore, columnOf: ColumnOf, { verifiedOnly }: AuthSight): CustomAdapter {
  const change = async (write: RowWrite) => {
    const changed = await store.changePeople({ writes: [...writesBefore(write), write] });
    if (changed === 'conflict') throw new Error(`a matching row already exists in ${write.table}`);
    // There is a list of rows for each write.
    return changed.at(-1)!;
  };
  const methods = {
    async create({ model, data }) {
      const table = tableOf(model);
      const [row] = await change({ kind: 'insert', table, row: toRow(table, data) });
      return withToken(fieldsOf(table, row!), data.token);
    },
    async findOne({ model, where }) {
      const table = tableOf(model);
      const [row]: PeopleRow[] = await store.findPeople(table, { where: testsOf(table, where), limit: 1 });
      if (verifiedOnly && isByAddress(table, where) && row?.email_verified === false) return null;
      return row ? withToken(fieldsOf(table, row), tokenIn(where)) : null;
    },
    async findMany({ model, where, limit, offset, sortBy }) {
      const table = tableOf(model);
      const rows: PeopleRow[] = await store.findPeople(table, {
        ...(where && { where: testsOf(table, where) }),
        ...(sortBy && {
          sort: { column: columnOf({ model, field: sortBy.field }), descending: sortBy.direction === 'desc' },
        }),
        limit,
        ...(offset !== undefined && { offset }),
      });
      return rows.map((row) => withToken(fieldsOf(table, row), where && tokenIn(where)));
    },
    count: ({ model, where }) => {
      const table = tableOf(model);
      return store.countPeople(table, where && testsOf(table, where));
    },
    async update({ model, where, update }) {
      const table = tableOf(model);
      const tests = testsOf(table, where);
      const set = toRow(table, update);
      const [row] = await change({ kind: 'update', table, where: tests, set });
      return row ? withToken(fieldsOf(table, row), tokenIn(where)) : null;
    },
    async updateMany({ model, where, update }) {
      const table = tableOf(model);
      const set = toRow(table, update);
      return (await change({ kind: 'update', table, where: testsOf(table, where), set })).length;
    },
    async delete({ model, where }) {
      const table = tableOf(model);
      await change({ kind: 'delete', table, where: testsOf(table, where) });
    },
    async deleteMany({ model, where }) {
      const table = tableOf(model);
      return (await change({ kind: 'delete', table, where: testsOf(table, where) })).length;
    },
    async consumeOne({ model, where }) {
      const table = tableOf(model);
      const [row] = await change({ kind: 'delete', table, where: testsOf(table, where), isOne: true });
      return row ? withToken(fieldsOf(table, row), tokenIn(where)) : null;
    },
    async incrementOne({ model, where, increment, set = {} }) {
      const table = tableOf(model);
      const write = { kind: 'update', table, where: testsOf(table, where), add: increment } as const;
      const [row] = await change({ ...write, set: toRow(table, set), isOne: true });
      return row ? withToken(fieldsOf(table, row), tokenIn(where)) : null;
    },
  } satisfies { [Name in keyof CustomAdapter]: (query: AdapterArguments) => Promise<unknown> };
  // The library's methods are generic in their results, which nothing here could prove.
  return methods as unknown as CustomAdapter;
}

/**
 * Returns the writes that must precede another one. A person who gets a verified address takes it from those
 * who have not verified it.
 */
function writesBefore(write: RowWrite): PeopleWrite[] {
  if (write.table !== 'person' || write.kind === 'delete') return [];
  const { email, email_verified: isVerified } = write.kind === 'insert' ? write.row : write.set;
  return typeof email === 'string' && isVerified === true ? [withoutUnverified(email)] : [];
}

type RowWrite = Exclude<PeopleWrite, { kind: 'expect' }>;

const isByAddress = (table: PeopleTable, where: readonly CleanedWhere[]): boolean =>
  table === 'person' && where.some(({ field }) => field === 'email');

/** The arguments of an adapter's methods. Each method reads its own part. */
type AdapterArguments = {
  model: string;
  data: Fields;
  where: CleanedWhere[];
  limit: number;
  offset?: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' };
  update: Fields;
  increment: Record<string, number>;
  set?: Fields;
};
