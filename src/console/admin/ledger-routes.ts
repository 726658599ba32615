import { usageQuery } from '../../api/usage/usage-query.ts';
import { usageView } from '../../api/usage/usage-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { entryIdOf } from '../../money/ledger/entry-id.ts';
import { verificationView } from '../../money/ledger/verification-view.ts';
import { verifyLedger } from '../../money/ledger/verify-ledger.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { entryView } from './entry-view.ts';
import { ledgerDescriptions as told } from './ledger-descriptions.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';

/** The routes for ledger entries, usage sums and verification. */
export function ledgerRoutes({ accounts, ledger, clock, tellFaults }: AdminDependencies): Route[] {
  const list: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    await currentPeriod(ledger, account, exchange.snapshot.plans);
    const found = await ledger.listEntries({ accountId: account.id, ...page });
    if (!found) return unknownAfter('an entry of this account');
    return jsonReply(200, listView(found.items.map(entryView), found.hasMore));
  };

  const show: Route['handle'] = async (exchange) => {
    const found = await ledger.findEntry(entryIdOf(exchange.params.id!));
    if (found) return jsonReply(200, { account_id: found.accountId, ...entryView(found) });
    return new Refusal('not_found', {
      message: 'No entry and no request has this id.',
    });
  };

  const usage: Route['handle'] = async (exchange) => {
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    const question = usageQuery(exchange.query, { accountId: account.id, now: clock.now(), since: 0 });
    if (question instanceof Refusal) return question;
    const sums = await ledger.sumUsage(question);
    return jsonReply(200, {
      object: 'list',
      data: sums.map((sum) => usageView(sum, question.by)),
      has_more: false,
    });
  };

  const verify: Route['handle'] = async () => {
    const verified = await verifyLedger(ledger);
    tellFaults(verified.faults);
    return jsonReply(200, verificationView(verified));
  };

  const account = '/admin/v1/accounts/{id}';
  return [
    { method: 'GET', path: `${account}/ledger`, handle: list, describe: told.list },
    { method: 'GET', path: `${account}/usage`, handle: usage, describe: told.usage },
    { method: 'GET', path: '/admin/v1/ledger/entries/{id}', handle: show, describe: told.show },
    { method: 'GET', path: '/admin/v1/ledger/verify', handle: verify, describe: told.verify },
  ];
}
