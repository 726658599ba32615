import type { KeyNames } from '../../src/console/dashboard/key-schema.ts';
import { inOrganization } from './session.ts';
import { useQuery } from './use-query.ts';

/** Returns the names of keys by their ids, in the order of creation. */
export type KeyLabels = ReadonlyMap<string, string>;

const none: KeyLabels = new Map();
const labels = new WeakMap<KeyNames, KeyLabels>();

/** Reads the names of the organization's keys, once for a page. */
export function useKeyNames(): KeyLabels {
  const { data } = useQuery<KeyNames>(inOrganization('/keys/names'));
  if (!data) return none;
  const names = labels.get(data) ?? new Map(data.data.map(({ id, name, hint }) => [id, name ?? `${hint}…`]));
  labels.set(data, names);
  return names;
}
