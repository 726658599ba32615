import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import { formatStatementCsv } from '../../customers/billing/format-statement-csv.ts';
import { formatStatementPage } from '../../customers/billing/format-statement-page.ts';
import { statementMonths } from '../../customers/billing/statement-months.ts';
import { STATEMENT_STYLE } from '../../customers/billing/statement-style.ts';
import type { AccountStatement } from '../../customers/billing/statements.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import { accepted } from '../routes/accepted.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** The page has no script, and its style comes from this server. */
const PAGE_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

const BILLING = '/dashboard/v1/organizations/{account}/billing';

/** Statements of a month for printing and as CSV. */
export const statementRoutes = [
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/statements/{month}`, access: 'viewer', answer: Type.String() },
    async ({ accountId, exchange }, { billing }) => {
      const statement = accepted(await statementOf(billing, accountId, exchange));
      const issuer = exchange.snapshot.config.server.public_url ?? exchange.request.headers.get('host') ?? '';
      return {
        status: 200,
        body: formatStatementPage(statement, issuer),
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY },
      };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/statements/{month}/csv`, access: 'viewer', answer: Type.String() },
    async ({ accountId, exchange }, { billing }) => {
      const statement = accepted(await statementOf(billing, accountId, exchange));
      return {
        status: 200,
        body: formatStatementCsv(statement),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="statement-${statement.month}.csv"`,
        },
      };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/statement.css', access: 'anyone', answer: Type.String() },
    () => ({
      status: 200,
      body: STATEMENT_STYLE,
      headers: { 'content-type': 'text/css; charset=utf-8' },
    }),
  ),
];

async function statementOf(
  { parts, statements }: BillingService,
  accountId: string,
  exchange: Exchange,
): Promise<AccountStatement | Refusal> {
  const account = accepted(await parts.accounts.find(accountId));
  const months = statementMonths(account, parts.clock.now());
  const month = exchange.params.month!;
  if (!months.includes(month))
    return new Refusal('not_found', { message: 'There is no statement for this month.' });
  return statements.make({ account, month, client: waitingSignal(exchange) });
}
