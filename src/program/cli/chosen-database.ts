import type { Invocation } from './invocation.ts';
import { namesServer } from './server-access.ts';

/**
 * Returns the address of the Postgres database that --database-url or DATABASE_URL names. Returns undefined
 * if neither is set, or if another option names a server or a data directory.
 */
export function chosenDatabase(invocation: Invocation): string | undefined {
  const option = invocation.text('database-url');
  if (option !== undefined) return option;
  if (namesServer(invocation) || invocation.text('data') !== undefined) return undefined;
  return invocation.terminal.environment.DATABASE_URL || undefined;
}
