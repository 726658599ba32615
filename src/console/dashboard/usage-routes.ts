import { balancesView } from '../../api/usage/balances-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import { periodOf } from '../../money/ledger/period.ts';
import { accepted } from '../routes/accepted.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { reportUsage, type UsageReading } from './report-usage.ts';
import { type CsvReading, writeUsageCsv } from './usage-csv.ts';
import {
  type UsageBalance,
  type UsageQuery,
  usageBalance,
  usageQuerySchema,
  usageReport,
} from './usage-schema.ts';
import { readUsageSpan, type UsageSpan } from './usage-span.ts';

const PATH = '/dashboard/v1/organizations/{account}/usage';

/** Usage by hour and day, as a report and as a file, and the balances. */
export const usageRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', query: usageQuerySchema, answer: usageReport },
    (call, parts) =>
      unlessRefused(readQuestion(parts, call), ({ reading, span }) => reportUsage(reading, span)),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/csv`, access: 'viewer', query: usageQuerySchema, answer: Type.String() },
    (call, parts) =>
      unlessRefused(readQuestion(parts, call), ({ reading, span }) =>
        unlessRefused(parts.accounts.listKeys(call.accountId), (keys) =>
          csvReply({ ...reading, keys }, span),
        ),
      ),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/balance`, access: 'viewer', answer: usageBalance },
    (call, parts) => readBalance(parts, call),
  ),
];

function readQuestion(
  { usage, clock }: DashboardParts,
  { accountId, query }: { accountId: string; query: UsageQuery },
): { reading: UsageReading; span: UsageSpan } | Refusal {
  const now = clock.now();
  const span = readUsageSpan(query, now);
  return span instanceof Refusal ? span : { reading: { usage, accountId, now }, span };
}

const csvReply = (reading: CsvReading, span: UsageSpan): Reply => ({
  status: 200,
  body: (writer) => writeUsageCsv(writer, reading, span),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="usage-by-${span.step}.csv"`,
  },
});

async function readBalance(
  { accounts, ledger, clock, content }: DashboardParts,
  { accountId, exchange }: DashboardCall,
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
    content_logging: content.isOn(accountId),
  };
}
