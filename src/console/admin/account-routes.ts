import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { definedOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { figuresOf } from '../../settings/plans/build-plans.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { closed } from '../routes/closed.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { EMAIL, NAME, withTrimmedTexts } from '../routes/name-texts.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { timeOfField } from '../routes/time-of-field.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import { type AccountView, account, accountView } from './account-view.ts';
import type { AdminParts } from './admin-parts.ts';
import { adminRouteWith } from './admin-route.ts';

type PartName = 'accounts' | 'ledger' | 'shortfalls' | 'stored';

const route = adminRouteWith<PartName>();

const name = Type.String(NAME);
const email = orNull(Type.String(EMAIL));
const plan = Type.Enum(planIds);

const accountChange = Type.Partial(
  Type.Object({
    name,
    email,
    plan,
    status: Type.Enum(['active', 'suspended', 'closed']),
    email_verified: Type.Boolean(),
    cycle_started_at: writtenTime,
    price_usd_per_month: orNull(Type.Number({ minimum: 0, maximum: MAX_USD })),
    plan_overrides: orNull(Type.Partial(Type.Object(planFigureSchemas), closed)),
  }),
  closed,
);

const group = 'Admin: accounts';
const PATH = '/admin/v1/accounts';

/** The routes for accounts. */
export const accountRoutes = [
  route(
    {
      method: 'POST',
      path: PATH,
      group,
      summary: 'Creates an account',
      body: Type.Object({ name, email: Type.Optional(email), plan }, closed),
      bodyExample: { name: 'Ada', email: 'ada@example.com', plan: 'starter' },
      status: 201,
      answer: account,
      returns: 'The account. It is active and its first cycle has started.',
    },
    showingAccount(({ body, actor }, { accounts }) => accounts.create(withTrimmedTexts(body), actor)),
  ),
  route(
    {
      method: 'GET',
      path: PATH,
      group,
      summary: 'Lists the accounts, oldest first',
      query: Type.Object({
        search: filterField(
          'Only accounts with this text in their name or email, or with an id that begins with it.',
        ),
        ...pageFields,
      }),
      answer: listOf(account),
      returns: 'A page of accounts.',
    },
    async ({ query, exchange }, parts) => {
      const page = pageOf(query);
      if (page.after !== undefined && (await parts.accounts.find(page.after)) instanceof Refusal)
        return unknownAfter('an account');
      // An empty search finds all accounts, as a cleared field of a page means.
      const search = query.search?.trim() || undefined;
      const { items, hasMore } = await parts.accounts.list({ ...page, search });
      const views = items.map((listed) => accountView(parts, listed, exchange.snapshot.plans));
      return listView(await Promise.all(views), hasMore);
    },
  ),
  route(
    {
      method: 'GET',
      path: `${PATH}/{id}`,
      group,
      summary: 'Shows an account',
      answer: account,
      returns: 'The account.',
      errors: ['not_found'],
    },
    showingAccount(({ params }, { accounts }) => accounts.find(params.id)),
  ),
  route(
    {
      method: 'PATCH',
      path: `${PATH}/{id}`,
      group,
      summary: 'Changes an account; upgrades apply immediately, downgrades at the renewal',
      body: accountChange,
      bodyExample: { plan: 'pro' },
      answer: account,
      returns: 'The updated account.',
      errors: ['not_found', 'conflict', 'account_closed'],
    },
    showingAccount(({ params, body, actor }, { accounts }) =>
      accounts.change(params.id, changeOf(body), actor),
    ),
  ),
  route(
    {
      method: 'POST',
      path: `${PATH}/{id}/shortfall/clear`,
      group,
      summary: 'Ends the stop of hosted tools of an account, and forgets the shortfalls that led to it',
      answer: account,
      returns: 'The account.',
      errors: ['not_found', 'conflict'],
    },
    showingAccount(({ params, actor }, { shortfalls }) => shortfalls.clear(params.id, actor)),
  ),
];

/** Makes a handler that shows the account that `work` has found, created or changed. */
function showingAccount<Call extends { exchange: Exchange }>(
  work: (call: Call, parts: Pick<AdminParts, PartName>) => Promise<Account | Refusal>,
) {
  return (call: Call, parts: Pick<AdminParts, PartName>): Promise<AccountView | Refusal> =>
    unlessRefused(work(call, parts), (result) => accountView(parts, result, call.exchange.snapshot.plans));
}

/** Converts the change to internal names. Fields that the body omits stay omitted. */
function changeOf({
  email_verified,
  cycle_started_at: startedAt,
  price_usd_per_month,
  plan_overrides,
  ...body
}: Static<typeof accountChange>): AccountChange {
  return {
    ...withTrimmedTexts(body),
    ...definedOf({
      emailVerified: email_verified,
      cycleStartedAt: startedAt === undefined ? undefined : timeOfField(startedAt, 'cycle_started_at'),
      priceUsdPerMonth: price_usd_per_month,
      planOverrides: plan_overrides && figuresOf(plan_overrides),
    }),
  };
}
