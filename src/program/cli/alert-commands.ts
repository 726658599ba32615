import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { type Column, formatTable } from './format-table.ts';
import { pageOf } from './page-options.ts';
import { field, printJson, printList } from './print-answer.ts';

type Alert = AdminItem<'GET /alerts'>;

/** Formats the states of deliveries, for example `delivered`, or `1 delivered, 1 waiting`. */
function statesOf({ deliveries }: Alert): string {
  const counts = new Map<string, number>();
  for (const { state } of deliveries) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts]
    .map(([state, count]) => (deliveries.length === 1 ? state : `${count} ${state}`))
    .join(', ');
}

const columns: readonly Column<Alert>[] = [
  field('created_at', 'at'),
  field('event'),
  field('severity'),
  { title: 'deliveries', cell: statesOf },
  field('message'),
];

export const listAlerts: Run = async (invocation) => {
  const answer = await callAdmin(invocation, 'GET /alerts', { query: pageOf(invocation) });
  await printList(invocation, answer, { key: 'GET /alerts', columns });
  return 0;
};

const deliveryColumns: readonly Column<Alert['deliveries'][number]>[] = [
  field('webhook_id', 'webhook'),
  field('host'),
  field('state'),
  field('status'),
  field('error'),
];

/** The exit code is 1 if a webhook has not accepted the alert. */
export const testAlerts: Run = async (invocation) => {
  const alert = await callAdmin(invocation, 'POST /alerts/test');
  if (invocation.flag('json')) printJson(invocation, alert);
  else invocation.terminal.print(formatTable(deliveryColumns, alert.deliveries));
  return alert.deliveries.every(({ state }) => state === 'delivered') ? 0 : 1;
};
