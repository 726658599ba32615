import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';

const none: Readonly<Record<UsageReport['by'], string>> = {
  model: 'No known model',
  key: 'No key',
  user: 'No user named',
};

/** Returns the name of a group. A group without an id has the requests that name none. */
export function groupName(id: string, by: UsageReport['by'], keys: KeyLabels): string {
  if (id === '') return none[by];
  return (by === 'key' ? keys.get(id) : undefined) ?? id;
}
