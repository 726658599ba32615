import { counted } from '../../base/lib/counted.ts';
import type { AdminAnswer, AdminItem } from '../../console/admin/admin-calls.ts';
import { operatorColumns, statusClasses } from '../../console/traffic/traffic-choices.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { namedIntervals } from '../../watch/traffic/choose-span.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { findAccountNamed } from './find-account.ts';
import type { Column } from './format-table.ts';
import { field, isPrintedAsTable, printList } from './print-answer.ts';

type Interval = AdminItem<'GET /traffic'>;
type Totals = AdminAnswer<'GET /traffic'>['totals'];

const percent = (share: number | null): string => (share === null ? '' : `${Math.round(share * 100)} %`);
const usd = (amount: number): string => amount.toFixed(4);

const columns: readonly Column<Interval>[] = [
  field('start'),
  { title: 'group', cell: ({ group_name: name }) => name },
  field('requests'),
  field('errors'),
  field('refused'),
  { title: 'p50 ms', cell: ({ latency_ms: { p50 } }) => p50 },
  { title: 'p95 ms', cell: ({ latency_ms: { p95 } }) => p95 },
  { title: 'first token p50 ms', cell: ({ first_token_ms: { p50 } }) => p50 },
  field('input_tokens', 'input'),
  field('output_tokens', 'output'),
  { title: 'cached', cell: ({ cache_share: share }) => percent(share) },
  { title: 'spend usd', cell: ({ spend_usd: amount }) => usd(amount) },
  { title: 'revenue usd', cell: ({ revenue_usd: amount }) => usd(amount) },
  { title: 'margin usd', cell: ({ margin_usd: amount }) => usd(amount) },
];

function formatTotals(totals: Totals): string {
  const { requests, errors, refused, spend_usd: spend, revenue_usd: revenue, margin_usd: margin } = totals;
  const counts = `${counted(requests, 'request')}, ${counted(errors, 'error')}, ${refused} refused`;
  return `${counts}; spend ${usd(spend)} USD, revenue ${usd(revenue)} USD, margin ${usd(margin)} USD.`;
}

/** Prints the figures of traffic by interval. Intervals without requests are left out without `--empty`. */
export const showTraffic: Run = async (invocation) => {
  const account = invocation.text('account');
  const query = {
    from: invocation.text('from'),
    to: invocation.text('to'),
    interval: invocation.choice('interval', namedIntervals),
    group_by: invocation.choice('group-by', operatorColumns),
    provider: invocation.text('provider'),
    model: invocation.text('model'),
    account: account === undefined ? undefined : await findAccountNamed(invocation, account),
    key: invocation.text('key'),
    status: invocation.choice('status', statusClasses),
    node: invocation.text('node'),
    source: invocation.choice('source', requestSources),
  };
  const answer = await callAdmin(invocation, 'GET /traffic', { query });
  const isShown = ({ requests, attempts }: Interval) => requests + attempts > 0 || invocation.flag('empty');
  const filtered = invocation.flag('json') ? answer : { ...answer, data: answer.data.filter(isShown) };
  await printList(invocation, filtered, { key: 'GET /traffic', columns });
  if (isPrintedAsTable(invocation)) invocation.terminal.remark(formatTotals(answer.totals));
  return 0;
};
