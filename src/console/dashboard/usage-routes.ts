import { dashboardRoute } from './dashboard-route.ts';
import { downloadUsage, showBalance, showUsage } from './organization-usage.ts';
import { usageBalance } from './usage-balance.ts';
import { usageQuery, usageReport } from './usage-schema.ts';
import { wholeReply } from './whole-reply.ts';

const USAGE = '/dashboard/v1/organizations/{account}/usage';

/** Usage by hour and day, as a report and as a file, and the balances. */
export const usageRoutes = [
  dashboardRoute(
    { method: 'GET', path: USAGE, access: 'viewer', query: usageQuery, answer: usageReport },
    showUsage,
  ),
  dashboardRoute(
    { method: 'GET', path: `${USAGE}/csv`, access: 'viewer', query: usageQuery, answer: wholeReply },
    downloadUsage,
  ),
  dashboardRoute(
    { method: 'GET', path: `${USAGE}/balance`, access: 'viewer', answer: usageBalance },
    showBalance,
  ),
];
