import { Refusal } from '../../base/errors/refusal.ts';
import { formatStatementCsv } from '../../customers/billing/format-statement-csv.ts';
import { formatStatementPage } from '../../customers/billing/format-statement-page.ts';
import { type AccountStatement, makeStatement } from '../../customers/billing/statement.ts';
import { statementMonths } from '../../customers/billing/statement-months.ts';
import { STATEMENT_STYLE } from '../../customers/billing/statement-style.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { downloadReply } from './download-reply.ts';

/** The page has no script, and its style comes from this server. */
const PAGE_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

type StatementCall = OrganizationCall<WithParams<'month'>>;

/** Sends a statement as a page to print. */
export async function showStatement(call: StatementCall, parts: DashboardParts): Promise<Reply> {
  const statement = await statementOf(call, parts);
  const { snapshot, request } = call.exchange;
  const issuer = snapshot.config.server.public_url ?? request.headers.get('host') ?? '';
  return {
    status: 200,
    body: formatStatementPage(statement, issuer),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY },
  };
}

/** Sends a statement as a file. */
export async function downloadStatement(call: StatementCall, parts: DashboardParts): Promise<Reply> {
  const statement = await statementOf(call, parts);
  const name = `statement-${statement.month}.csv`;
  return downloadReply({ body: formatStatementCsv(statement), type: 'text/csv; charset=utf-8', name });
}

/** Sends the style of the page. */
export const sendStatementStyle = (): Reply => ({
  status: 200,
  body: STATEMENT_STYLE,
  headers: { 'content-type': 'text/css; charset=utf-8' },
});

async function statementOf(
  { accountId, params: { month } }: StatementCall,
  { accounts, ledger, billing: { parts } }: DashboardParts,
): Promise<AccountStatement> {
  const account = accepted(await accounts.find(accountId));
  if (!statementMonths(account, parts.clock.now()).includes(month)) throw noStatement();
  return makeStatement(ledger, account, month);
}

const noStatement = (): Refusal =>
  new Refusal('not_found', { message: 'There is no statement for this month.' });
