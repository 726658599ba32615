import { keyName, type Value } from './expected-rows.ts';

/** Names a row of an account among the rows of all derived tables. */
export const rowName = (table: string, key: readonly Value[]): string => `${table}\n${keyName(key)}`;
