import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /queue'>>[] = [
  field('id'),
  field('class'),
  field('model'),
  field('account_id', 'account'),
  field('key_id', 'key'),
  { title: 'providers', cell: (row) => row.providers.join(' ') },
  field('position'),
  field('waited_ms', 'waited ms'),
  field('refused_at', 'refused at'),
  field('node'),
];

export const showQueue: Run = async (invocation) => {
  const query = {
    class: invocation.choice('class', planClasses),
    provider: invocation.text('provider'),
    account: invocation.text('account'),
    limit: invocation.number('limit'),
  };
  const answer = await callAdmin(invocation, 'GET /queue', { query });
  // A queue changes while it is read, so it has no further pages.
  const shown = invocation.flag('json') ? answer : { ...answer, has_more: false };
  await printList(invocation, shown, { key: 'GET /queue', columns });
  if (answer.has_more)
    invocation.terminal.remark(`${answer.data.length} of ${answer.total} queued requests are shown.`);
  return 0;
};
