import type { Queries } from '../queries.ts';

/** Registers a node as a process does at its start. */
export const registerNode = async (queries: Queries, id: string): Promise<void> =>
  void (await queries.first('SELECT register_node($1, $2, $3, $4, $5)', [id, 'test', 'hash', 'here', null]));

/** Closes a node as another node does that finds it silent. */
export const closeNode = async (queries: Queries, id: string): Promise<void> =>
  void (await queries.first('SELECT close_node($1)', [id]));
