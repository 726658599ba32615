import { Refusal } from '../../base/errors/refusal.ts';
import { parseIsoTime } from '../../base/lib/iso-time.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { figuresOf } from '../../settings/plans/build-plans.ts';
import { accountChangeBody, newAccountBody } from './account-bodies.ts';
import type { AccountView } from './account-view.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { listView } from './list-view.ts';
import { withTrimmedTexts } from './name-texts.ts';
import { pageQuery, unknownAfter } from './page-query.ts';
import { viewAccount } from './view-account.ts';

export function accountRoutes({
  accounts,
  ledger,
  stored,
  shortfalls,
  readBody,
}: AdminDependencies): Route[] {
  const view = async (account: Account, exchange: Exchange): Promise<AccountView> =>
    viewAccount({ ledger, stored }, account, exchange.snapshot.plans);

  const answer = async (account: Account | Refusal, exchange: Exchange) =>
    account instanceof Refusal ? account : jsonReply(200, await view(account, exchange));

  const create: Route['handle'] = async (exchange) => {
    const wanted = await newAccountBody(exchange, readBody);
    if (wanted instanceof Refusal) return wanted;
    return jsonReply(
      201,
      await view(await accounts.create(withTrimmedTexts(wanted), actorOf(exchange)), exchange),
    );
  };

  const list: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    if (page.after !== undefined && (await accounts.find(page.after)) instanceof Refusal)
      return unknownAfter('an account');
    const { items, hasMore } = await accounts.list({ ...page, search: searchIn(exchange.query) });
    const views = await Promise.all(items.map((account) => view(account, exchange)));
    return jsonReply(200, listView(views, hasMore));
  };

  const change: Route['handle'] = async (exchange) => {
    const body = await accountChangeBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const wanted = changeOf(body);
    if (wanted instanceof Refusal) return wanted;
    return await answer(await accounts.change(exchange.params.id!, wanted, actorOf(exchange)), exchange);
  };

  return [
    { method: 'POST', path: '/admin/v1/accounts', handle: create, describe: told.createAccount },
    { method: 'GET', path: '/admin/v1/accounts', handle: list, describe: told.listAccounts },
    {
      method: 'GET',
      path: '/admin/v1/accounts/{id}',
      handle: async (exchange) => answer(await accounts.find(exchange.params.id!), exchange),
      describe: told.showAccount,
    },
    { method: 'PATCH', path: '/admin/v1/accounts/{id}', handle: change, describe: told.changeAccount },
    {
      method: 'POST',
      path: '/admin/v1/accounts/{id}/shortfall/clear',
      handle: async (exchange) =>
        answer(await shortfalls.clear(exchange.params.id!, actorOf(exchange)), exchange),
      describe: told.clearShortfall,
    },
  ];
}

/** An empty search finds all accounts, as a cleared field of a page means. */
const searchIn = (query: string): string | undefined =>
  new URLSearchParams(query).get('search')?.trim() || undefined;

type ChangeBody = Exclude<Awaited<ReturnType<typeof accountChangeBody>>, Refusal>;

/** Converts the change to internal names. Fields that the body omits stay omitted. */
function changeOf(body: ChangeBody): AccountChange | Refusal {
  const { email_verified, cycle_started_at, price_usd_per_month, plan_overrides, ...asTheyAre } = body;
  const cycleStartedAt = cycle_started_at === undefined ? undefined : parseIsoTime(cycle_started_at);
  if (cycle_started_at !== undefined && cycleStartedAt === undefined) {
    return new Refusal('invalid_request', {
      message: 'cycle_started_at must be a valid time.',
      param: 'cycle_started_at',
    });
  }
  return {
    ...withTrimmedTexts(asTheyAre),
    ...(email_verified !== undefined && { emailVerified: email_verified }),
    ...(cycleStartedAt !== undefined && { cycleStartedAt }),
    ...(price_usd_per_month !== undefined && { priceUsdPerMonth: price_usd_per_month }),
    ...(plan_overrides !== undefined && { planOverrides: plan_overrides && figuresOf(plan_overrides) }),
  };
}
