import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import type { Column } from './format-table.ts';
import { field, printItems } from './print-answer.ts';

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

/** Prints the requests that queue for capacity, with a remark if the limit hides some. */
export const showQueue: Run = async (invocation) => {
  const query = {
    class: invocation.choice('class', planClasses),
    provider: invocation.text('provider'),
    account: invocation.text('account'),
    limit: invocation.number('limit'),
  };
  const answer = await callAdmin(invocation, 'GET /queue', { query });
  await printItems(invocation, answer, { key: 'GET /queue', columns });
  // A queue changes while it is read, so `printList` cannot offer a next page.
  if (answer.has_more)
    invocation.terminal.remark(`${answer.data.length} of ${answer.total} queued requests are shown.`);
  return 0;
};
