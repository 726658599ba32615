import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /nodes'>>[] = [
  field('id'),
  field('host'),
  field('worker'),
  field('version'),
  field('commit_date'),
  {
    title: 'configuration',
    cell: (row) => `${row.config_hash}${row.config_differs ? ' (differs)' : ''}`,
  },
  field('heartbeat'),
  field('open_requests'),
  { title: 'state', cell: (row) => (row.closed === null ? 'serves' : `closed ${row.closed}`) },
];

export const listNodes: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'GET /nodes');
  await printList(invocation, answer, { key: 'GET /nodes', columns });
  const different = answer.data.filter((node) => node.config_differs).length;
  if (different > 0)
    invocation.terminal.remark(
      `warn  ${different} of ${answer.data.length} nodes have another configuration than the node that answered.`,
    );
  return 0;
};
