import type { SqlValue } from './database.ts';
import type { Queries } from './queries.ts';

/**
 * Returns reads by texts that callers have sent. Postgres refuses the character NUL. No stored text has it,
 * so a read by a text with it finds nothing.
 */
export const lookups = (queries: Queries): Pick<Queries, 'first' | 'all'> => ({
  first: async (text, values) => (isStorable(values) ? queries.first(text, values) : undefined),
  all: async (text, values) => (isStorable(values) ? queries.all(text, values) : []),
});

const isStorable = (values: readonly SqlValue[] = []): boolean =>
  !values.some((value) => typeof value === 'string' && value.includes('\0'));
