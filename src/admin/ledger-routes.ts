import { Refusal } from '../errors/refusal.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { entryView, usageView } from './entry-view.ts';
import { ledgerDescriptions as told } from './ledger-descriptions.ts';
import { listView } from './list-view.ts';
import { pageQuery } from './page-query.ts';
import { usageQuery } from './usage-query.ts';
import { verifyLedger } from './verify-ledger.ts';
import { currentPeriod } from './view-account.ts';

/** What became of the credits of accounts. */
export function ledgerRoutes({ accounts, ledger, clock }: AdminDependencies): Route[] {
  const list: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    await currentPeriod(ledger, account, exchange.snapshot.plans);
    const found = await ledger.listEntries({ accountId: account.id, ...page });
    if (!found)
      return new Refusal('invalid_request', {
        message: 'after is no entry of this account.',
        param: 'after',
      });
    return jsonReply(200, listView(found.items.map(entryView), found.hasMore));
  };

  const usage: Route['handle'] = async (exchange) => {
    const account = await accounts.find(exchange.params.id!);
    if (account instanceof Refusal) return account;
    const question = usageQuery(exchange.query, { accountId: account.id, now: clock.now() });
    if (question instanceof Refusal) return question;
    const sums = await ledger.sumUsage(question);
    return jsonReply(200, {
      object: 'list',
      data: sums.map((sum) => usageView(sum, question.by)),
      has_more: false,
    });
  };

  const account = '/admin/v1/accounts/{id}';
  return [
    { method: 'GET', path: `${account}/ledger`, handle: list, describe: told.list },
    { method: 'GET', path: `${account}/usage`, handle: usage, describe: told.usage },
    {
      method: 'GET',
      path: '/admin/v1/ledger/verify',
      handle: async () => jsonReply(200, await verifyLedger(ledger)),
      describe: told.verify,
    },
  ];
}
