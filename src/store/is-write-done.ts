import type { PeopleWrite } from '../customers/people/people-store.ts';

/** Reports whether a step changed, or found, as many rows as it must. */
export function isWriteDone(write: PeopleWrite, rows: readonly unknown[]): boolean {
  switch (write.kind) {
    case 'expect':
      return write.limit === undefined ? rows.length === 1 : rows.length <= write.limit;
    case 'insert':
      return rows.length === 1;
    case 'update':
    case 'delete':
      return write.rows === undefined || rows.length === write.rows;
  }
}
