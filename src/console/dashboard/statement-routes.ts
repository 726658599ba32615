import { dashboardRoute } from './dashboard-route.ts';
import { downloadStatement, sendStatementStyle, showStatement } from './send-statement.ts';
import { wholeReply } from './whole-reply.ts';

const STATEMENT = '/dashboard/v1/organizations/{account}/billing/statements/{month}';

/** Statements of a month for printing and as CSV. */
export const statementRoutes = [
  dashboardRoute({ method: 'GET', path: STATEMENT, access: 'viewer', answer: wholeReply }, showStatement),
  dashboardRoute(
    { method: 'GET', path: `${STATEMENT}/csv`, access: 'viewer', answer: wholeReply },
    downloadStatement,
  ),
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/statement.css', access: 'anyone', answer: wholeReply },
    sendStatementStyle,
  ),
];
