import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseIsoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { figuresOf } from '../../settings/plans/build-plans.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import { EMAIL, NAME, withTrimmedTexts } from '../routes/name-texts.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { account, accountView } from './account-view.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'ledger' | 'shortfalls' | 'stored'>();

const closed = { additionalProperties: false };
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
    async ({ body, actor, exchange }, parts) =>
      accountView(parts, await parts.accounts.create(withTrimmedTexts(body), actor), exchange.snapshot.plans),
  ),
  route(
    {
      method: 'GET',
      path: PATH,
      group,
      summary: 'Lists the accounts, oldest first',
      query: Type.Object({
        search: Type.Optional(
          Type.String({
            description:
              'Only accounts with this text in their name or email, or with an id that begins with it.',
          }),
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
      const views = items.map((one) => accountView(parts, one, exchange.snapshot.plans));
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
    async ({ params, exchange }, parts) =>
      accountView(parts, accepted(await parts.accounts.find(params.id)), exchange.snapshot.plans),
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
    async ({ params, body, actor, exchange }, parts) => {
      const changed = await parts.accounts.change(params.id, changeOf(body), actor);
      return accountView(parts, accepted(changed), exchange.snapshot.plans);
    },
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
    async ({ params, actor, exchange }, parts) => {
      const cleared = await parts.shortfalls.clear(params.id, actor);
      return accountView(parts, accepted(cleared), exchange.snapshot.plans);
    },
  ),
];

/** Converts the change to internal names. Fields that the body omits stay omitted. */
function changeOf(body: Static<typeof accountChange>): AccountChange {
  const { email_verified, cycle_started_at, price_usd_per_month, plan_overrides, ...asTheyAre } = body;
  const cycleStartedAt = cycle_started_at === undefined ? undefined : parseIsoTime(cycle_started_at);
  if (cycle_started_at !== undefined && cycleStartedAt === undefined) {
    throw new Refusal('invalid_request', {
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
