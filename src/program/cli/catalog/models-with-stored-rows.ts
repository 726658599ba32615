import { callAdmin } from '../call-admin.ts';
import type { Invocation } from '../invocation.ts';

/**
 * Returns the models whose stored rows lie over the rows of the file. The prices of such a row apply instead
 * of `catalog.prices`. Throws if no server answers.
 */
export async function modelsWithStoredRows(
  invocation: Invocation,
  models: ReadonlySet<string>,
): Promise<string[]> {
  const { data } = await callAdmin(invocation, 'GET /catalog');
  return data.filter(({ id, source }) => source === 'stored' && models.has(id)).map(({ id }) => id);
}
