import { balancesView } from '../../api/usage/balances-view.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import { periodOf } from '../../money/ledger/period.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { downloadReply } from './download-reply.ts';
import { reportUsage } from './report-usage.ts';
import type { UsageBalance } from './usage-balance.ts';
import type { UsageQuery, UsageReport } from './usage-schema.ts';
import { readUsageSpan } from './usage-span.ts';
import { writeUsageCsv } from './write-usage-csv.ts';

type UsageCall = OrganizationCall<{ query: UsageQuery }>;

/** Reports the usage of a span. */
export async function showUsage(
  { accountId, query }: UsageCall,
  { usage, clock }: DashboardParts,
): Promise<UsageReport> {
  const now = clock.now();
  return reportUsage({ usage, accountId, now }, accepted(readUsageSpan(query, now)));
}

/** Sends the usage of a span as a file, which is written while it is read. */
export async function downloadUsage(
  { accountId, query }: UsageCall,
  { usage, clock, accounts }: DashboardParts,
): Promise<Reply> {
  const now = clock.now();
  const span = accepted(readUsageSpan(query, now));
  const keys = accepted(await accounts.listKeys(accountId));
  return downloadReply({
    body: (writer) => writeUsageCsv(writer, { usage, accountId, now, keys }, span),
    type: 'text/csv; charset=utf-8',
    name: `usage-by-${span.step}.csv`,
  });
}

/** Shows the balances of an organization, and whether the content of its requests is kept. */
export async function showBalance(
  { accountId, exchange }: OrganizationCall,
  { accounts, ledger, clock, payloads }: DashboardParts,
): Promise<UsageBalance> {
  const account = accepted(await accounts.find(accountId));
  const { plans } = exchange.snapshot;
  const figures = accountFigures(account, plans);
  const { tokensPerDay } = figures;
  const period = periodOf(account, figures);
  return {
    plan: account.plan,
    plan_name: plans[account.plan].displayName,
    ...(await balancesView(ledger, { accountId, period, tokensPerDay, now: clock.now() })),
    content_logging: payloads.isOn(accountId),
  };
}
