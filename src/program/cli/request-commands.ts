import { type AdminAnswer, callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { formatFields, formatTable } from './format-table.ts';
import { pageQueryOf } from './page-options.ts';
import { field, printJson, printList } from './print-answer.ts';
import { requestFilters } from './request-filters.ts';

/** Names the providers whose calls failed, since a fallback can hide them behind a 200. */
const failedCalls = ({ attempts }: AdminAnswer): string =>
  ((attempts ?? []) as AdminAnswer[])
    .filter(({ error }) => error !== null)
    .map(({ provider, status }) => (status === null ? provider : `${provider} ${status}`))
    .join(' ');

const columns = [
  field('ended_at', 'ended at'),
  field('id'),
  field('status'),
  { title: 'code', cell: (row: AdminAnswer) => row.error?.code },
  field('account_id', 'account'),
  field('key_name', 'key'),
  field('model'),
  field('provider'),
  { title: 'failed calls', cell: (row: AdminAnswer) => failedCalls(row) },
  field('duration_ms', 'ms'),
];

export const listRequests: Run = async (invocation) => {
  const until = invocation.text('until');
  const filters = { ...(await requestFilters(invocation)), ...(until !== undefined && { until }) };
  const path = `/requests${pageQueryOf(invocation, filters)}`;
  await printList(invocation, await callAdmin(invocation, { path }), { name: 'requests', columns });
  return 0;
};

const attemptColumns = [
  field('started_at', 'started at'),
  field('provider'),
  field('model'),
  field('status'),
  field('ms'),
  { title: 'error', cell: ({ error }: AdminAnswer) => error && textOf(error) },
  { title: 'request id', cell: ({ error }: AdminAnswer) => error?.request_id },
];

const textOf = ({ type, code, message }: AdminAnswer): string =>
  [type, code, message].filter((part) => part !== null).join(': ');

export const showRequest: Run = async (invocation) => {
  const path = `/requests/${encodeURIComponent(invocation.positional('ID')!)}`;
  const request = await callAdmin(invocation, { path });
  if (invocation.flag('json')) {
    printJson(invocation, request);
    return 0;
  }
  const { attempts, ...fields } = request;
  invocation.terminal.print(formatFields(fields));
  if (attempts.length > 0) invocation.terminal.print(`\n${formatTable(attemptColumns, attempts)}`);
  return 0;
};
