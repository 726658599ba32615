import { AccountQuarantined } from '../../base/errors/account-quarantined.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { priceOf } from '../../money/accounts/plan-terms.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { storedView } from '../../money/limits/stored-bytes.ts';
import { balancesView } from './balances-view.ts';
import { receiptDescription } from './receipt-description.ts';
import { showReceipt } from './show-receipt.ts';
import { usageDescription } from './usage-description.ts';
import type { UsageEndpointParts } from './usage-endpoint-parts.ts';
import { usageQuery } from './usage-query.ts';
import { usageView } from './usage-view.ts';

/** The span of usage without a query. */
const DEFAULT_SPAN_MS = 30 * DAY_MS;

/** The routes for balances, usage and receipts. They work without any credits. */
export const usageRoutes = (parts: UsageEndpointParts): Route[] => [
  {
    method: 'GET',
    path: '/v1/usage',
    describe: usageDescription,
    handle: (exchange) => showUsage(exchange, parts),
  },
  {
    method: 'GET',
    path: '/v1/usage/{request_id}',
    describe: receiptDescription,
    handle: (exchange) => showReceipt(exchange, parts),
  },
];

async function showUsage(exchange: Exchange, parts: UsageEndpointParts): Promise<Reply | Refusal> {
  const { authenticator, ledger, clock } = parts;
  const principal = await authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const now = clock.now();
  const { account, plan, period } = principal;
  const accountId = account.id;
  if (await ledger.quarantineOf(accountId)) throw new AccountQuarantined(accountId);
  const question = usageQuery(exchange.query, { accountId, now, since: now - DEFAULT_SPAN_MS });
  if (question instanceof Refusal) return question;
  const sums = await ledger.sumUsage(question);
  return jsonReply(
    200,
    {
      object: 'usage',
      ...planView(exchange, principal),
      ...(await balancesView(ledger, { accountId, period, tokensPerDay: plan.tokensPerDay, now })),
      key: await keyView(principal, ledger, now),
      stored: storedView(await parts.stored.storedBytes(accountId), plan.storedMb),
      from: isoTime(question.from),
      to: isoTime(question.to),
      by: question.by,
      data: sums.map((sum) => usageView(sum, question.by)),
    },
    { 'cache-control': 'private, no-store' },
  );
}

function planView({ snapshot }: Exchange, { account }: Principal) {
  return {
    account_id: account.id,
    plan: account.plan,
    pending_plan: account.pendingPlan,
    price_usd_per_month: priceOf(account, snapshot.plans),
  };
}

async function keyView({ account, apiKey }: Principal, ledger: Pick<LedgerStore, 'keySpent'>, now: number) {
  const spent = await ledger.keySpent(account.id, { keyId: apiKey.id, at: now });
  return { id: apiKey.id, month_spent_usd: usdOf(spent), monthly_cap_usd: apiKey.monthlyCapUsd };
}
