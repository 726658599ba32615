import { isObject } from '../../base/lib/is-object.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { pageOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

type AuditEntry = AdminItem<'GET /audit'>;

const columns: readonly Column<AuditEntry>[] = [
  field('at'),
  field('actor'),
  field('action'),
  field('target'),
  { title: 'changed', cell: (row) => changedFields(row).join(' ') },
];

export const listAudit: Run = async (invocation) => {
  const query = {
    actor: invocation.text('actor'),
    action: invocation.text('action'),
    target: invocation.text('target'),
    since: invocation.text('since'),
    until: invocation.text('until'),
    ...pageOf(invocation),
  };
  const answer = await callAdmin(invocation, 'GET /audit', { query });
  await printList(invocation, answer, { key: 'GET /audit', columns });
  return 0;
};

/** Lists the changed fields. The list is empty for a created or deleted object. */
function changedFields({ before, after }: AuditEntry): string[] {
  if (!isObject(before) || !isObject(after)) return [];
  const replaced = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(replaced.get(name)) !== JSON.stringify(value))
    .map(([name]) => name);
}

export const reloadConfiguration: Run = async (invocation) => {
  printFields(invocation, await callAdmin(invocation, 'POST /reload'));
  return 0;
};
