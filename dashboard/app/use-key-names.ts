import type { KeyNames } from '../../src/console/dashboard/key-schema.ts';
import { inOrganization } from './session.ts';
import { useQuery } from './use-query.ts';

/** The names of keys by their ids, in the order of creation. */
export type KeyLabels = ReadonlyMap<string, string>;

const noLabels: KeyLabels = new Map();
/** The labels of each answer, so that all parts of a page share one map. */
const labelsOfAnswer = new WeakMap<KeyNames, KeyLabels>();

/** Reads the names of the organization's keys, once for a page. A key without a name is shown by its hint. */
export function useKeyNames(): KeyLabels {
  const { data } = useQuery<KeyNames>(inOrganization('/keys/names'));
  if (!data) return noLabels;
  const labels =
    labelsOfAnswer.get(data) ?? new Map(data.data.map(({ id, name, hint }) => [id, name ?? `${hint}…`]));
  labelsOfAnswer.set(data, labels);
  return labels;
}
