import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /faults'>>[] = [
  field('severity'),
  field('provider'),
  field('model'),
  field('cause'),
  field('count'),
  field('hidden_by_fallback', 'hidden'),
  field('first_at', 'first at'),
  field('last_at', 'last at'),
  field('ended_at', 'ended at'),
  field('reason'),
  field('remedy'),
];

export const listFaults: Run = async (invocation) => {
  const query = invocation.flag('ended') ? { ended: true } : {};
  const answer = await callAdmin(invocation, 'GET /faults', { query });
  await printList(invocation, answer, { key: 'GET /faults', columns });
  return 0;
};
