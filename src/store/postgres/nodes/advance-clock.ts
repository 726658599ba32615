import type { Queries } from '../queries.ts';

/** Moves the test clock of the whole installation ahead. The node `by` moves it. */
export async function advanceClock(queries: Queries, { ms, by }: { ms: number; by: string }): Promise<void> {
  await queries.all('SELECT advance_clock($1, $2)', [Math.round(ms), by]);
}
