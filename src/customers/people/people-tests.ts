import type { PeopleTest, PeopleValue } from './people-store.ts';

/**
 * Returns the tests that columns have these values.
 *
 * @example
 * matching({ role: 'owner' }); // → [{ column: 'role', value: 'owner' }]
 */
export const matching = (values: Readonly<Record<string, PeopleValue>>): PeopleTest[] =>
  Object.entries(values).map(([column, value]) => ({ column, value }));

/** Returns the test that a column has one of these values. */
export const isOneOf = (column: string, values: readonly PeopleValue[]): PeopleTest => ({
  column,
  is: 'in',
  value: values,
});

/** Returns the test that the time in a column is earlier. */
export const isBefore = (column: string, time: number): PeopleTest => ({ column, is: 'lt', value: time });

/** Returns the test that a row has not expired. */
export const isLiveAt = (now: number): PeopleTest => ({ column: 'expires_at', is: 'gt', value: now });
