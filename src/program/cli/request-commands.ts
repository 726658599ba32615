import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { formatFields } from './format-fields.ts';
import { type Column, formatTable } from './format-table.ts';
import { pageOf } from './page-options.ts';
import { field, printJson, printList } from './print-answer.ts';
import { requestFilters } from './request-filters.ts';

type RequestRow = AdminItem<'GET /requests'>;
type Attempt = RequestRow['attempts'][number];

/** Names the providers whose calls failed, since a fallback can hide them behind a 200. */
const failedCalls = ({ attempts }: RequestRow): string =>
  attempts
    .filter(({ error }) => error !== null)
    .map(({ provider, status }) => (status === null ? provider : `${provider} ${status}`))
    .join(' ');

const columns: readonly Column<RequestRow>[] = [
  field('ended_at', 'ended at'),
  field('id'),
  field('status'),
  { title: 'code', cell: ({ error }) => error?.code },
  field('account_id', 'account'),
  { title: 'key', cell: ({ key_name, key_id }) => key_name ?? key_id },
  field('model'),
  field('provider'),
  { title: 'failed calls', cell: failedCalls },
  field('duration_ms', 'ms'),
];

export const listRequests: Run = async (invocation) => {
  const filters = await requestFilters(invocation);
  const query = { ...filters, until: invocation.text('until'), ...pageOf(invocation) };
  const answer = await callAdmin(invocation, 'GET /requests', { query });
  await printList(invocation, answer, { key: 'GET /requests', columns });
  return 0;
};

const attemptColumns: readonly Column<Attempt>[] = [
  field('started_at', 'started at'),
  field('provider'),
  field('model'),
  field('status'),
  field('ms'),
  { title: 'error', cell: ({ error }) => error && errorText(error) },
  { title: 'request id', cell: ({ error }) => error?.request_id },
];

const errorText = ({ type, code, message }: NonNullable<Attempt['error']>): string =>
  [type, code, message].filter((part) => part !== null).join(': ');

export const showRequest: Run = async (invocation) => {
  const params = { id: invocation.required('ID') };
  const request = await callAdmin(invocation, 'GET /requests/{id}', { params });
  if (invocation.flag('json')) {
    printJson(invocation, request);
    return 0;
  }
  const { attempts, ...fields } = request;
  invocation.terminal.print(formatFields(fields));
  if (attempts.length > 0) invocation.terminal.print(`\n${formatTable(attemptColumns, attempts)}`);
  return 0;
};
