import type { UsageGroup, UsageReport } from '../../../src/api/dashboard/usage-schema.ts';

const none: Readonly<Record<UsageReport['by'], string>> = {
  model: 'No known model',
  key: 'No key',
  user: 'No user named',
};

/** What a group is called. */
export const groupName = ({ id, name }: Pick<UsageGroup, 'id' | 'name'>, by: UsageReport['by']): string =>
  name ?? (id === '' ? none[by] : id);
