import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';

const labelsWithoutId: Readonly<Record<UsageReport['by'], string>> = {
  model: 'No known model',
  key: 'No key',
  user: 'No user named',
};

/** Returns the name of a group. The empty id stands for the requests without a model, a key or a user. */
export function groupName(id: string, by: UsageReport['by'], keys: KeyLabels): string {
  if (id === '') return labelsWithoutId[by];
  return (by === 'key' ? keys.get(id) : undefined) ?? id;
}
