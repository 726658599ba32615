import type { AskServer } from './create-server-asker.ts';

/** A row of `/v1/models`, with the members of one kind of server. */
type OwnedRow<Details> = { id: string; owned_by: string } & Details;

/** Lists the rows of `/v1/models` that name this owner. Returns undefined if another program answers. */
export async function listOwnedModels<Details>(
  ask: AskServer,
  owner: string,
): Promise<OwnedRow<Details>[] | undefined> {
  const list = (await ask('/v1/models')) as { data?: unknown } | undefined;
  if (!Array.isArray(list?.data)) return undefined;
  const rows = list.data.filter((row) => row?.owned_by === owner && typeof row.id === 'string');
  return rows.length === 0 ? undefined : rows;
}
