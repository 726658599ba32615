import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/account-status.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { Entry, EntryKind } from '../../money/ledger/entry.ts';
import { microcreditsOfCredits, microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import { balanceOf, PURCHASED } from '../../money/ledger/period.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { MAX_CREDITS, MAX_USD } from '../../settings/plans/amounts.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { NAME } from '../routes/name-texts.ts';
import type { RouteShape } from '../routes/typed-route.ts';
import { type AccountView, account, accountView } from './account-view.ts';
import type { AdminParts } from './admin-parts.ts';
import { type AdminCall, type AdminShape, adminRouteWith } from './admin-route.ts';
import { newEntryId } from './new-entry-id.ts';

type PartName = 'accounts' | 'clock' | 'ledger' | 'stored';

const route = adminRouteWith<PartName>();

const reason = Type.String(NAME);

const shared = {
  method: 'POST',
  group: 'Admin: credits',
  status: 201,
  answer: account,
  returns: 'The updated account.',
  headers: [
    {
      name: 'Idempotency-Key',
      description: 'Up to 200 characters. Repeated requests with the same key make the change only once.',
      schema: Type.String({ minLength: 1, maxLength: 200 }),
    },
  ],
  errors: ['not_found', 'conflict', 'account_closed', 'idempotency_conflict'],
} as const satisfies Partial<AdminShape>;

/** The routes for grants, purchases and adjustments. */
export const creditRoutes = [
  route(
    {
      ...shared,
      path: '/admin/v1/accounts/{id}/grants',
      summary: "Adds credits to the account's current cycle",
      body: Type.Object(
        { credits: Type.Number({ minimum: 0.000001, maximum: MAX_CREDITS }), reason: Type.Optional(reason) },
        closed,
      ),
      bodyExample: { credits: 500, reason: 'an apology' },
    },
    (call, parts) => {
      const microcredits = microcreditsOfCredits(call.body.credits);
      const { reason = null } = call.body;
      return give(parts, call, { kind: 'grant', balance: 'monthly', microcredits, reason });
    },
  ),
  route(
    {
      ...shared,
      path: '/admin/v1/accounts/{id}/purchases',
      summary:
        'Adds purchased credit, 500 credits per USD; `purchases` in the configuration limits the amount',
      body: Type.Object({ usd: Type.Number({ minimum: 0, maximum: MAX_USD }) }, closed),
      bodyExample: { usd: 20 },
    },
    (call, parts) => {
      const { usd } = call.body;
      const microcredits = microcreditsOfUsd(usd);
      return (
        boundOf(usd, call.exchange.snapshot.config.purchases) ??
        give(parts, call, { kind: 'purchase', balance: 'purchased', microcredits, reason: null })
      );
    },
  ),
  route(
    {
      ...shared,
      path: '/admin/v1/accounts/{id}/adjustments',
      summary: 'Adjusts a balance by a positive or negative amount',
      body: Type.Object(
        {
          credits: Type.Number({ minimum: -MAX_CREDITS, maximum: MAX_CREDITS }),
          balance: Type.Enum(['monthly', 'purchased']),
          reason,
        },
        closed,
      ),
      bodyExample: { credits: -12.5, balance: 'purchased', reason: 'charged back' },
    },
    (call, parts) => {
      const { credits, ...rest } = call.body;
      const microcredits = microcreditsOfCredits(credits);
      return give(parts, call, { kind: 'adjustment', microcredits, ...rest });
    },
  ),
];

type GivenCredits = Pick<Entry, 'microcredits' | 'reason'> & {
  kind: Exclude<EntryKind, 'usage' | 'renewal'>;
  balance: 'monthly' | 'purchased';
};
type AccountCall = Pick<AdminCall<RouteShape & { path: '{id}' }>, 'exchange' | 'params' | 'actor'>;

/** Writes the entry of a grant, a purchase or an adjustment, and shows the account with it. */
async function give(
  parts: Pick<AdminParts, PartName>,
  { exchange, params, actor }: AccountCall,
  { balance, ...given }: GivenCredits,
): Promise<AccountView | Refusal> {
  const { accounts, ledger, clock } = parts;
  const account = accepted(await accounts.find(params.id));
  const refusal = refusalFor(account, { balance, ...given });
  if (refusal) return refusal;
  const { id, isKeyed } = accepted(newEntryId(exchange, account.id));
  const { plans } = exchange.snapshot;
  const period = balance === 'purchased' ? PURCHASED : (await currentPeriod(ledger, account, plans)).id;
  const entry = { id, accountId: account.id, at: clock.now(), period, receipt: null, ...given };
  const isReplay = isKeyed && (await ledger.findEntry(id)) !== undefined;
  if (!isReplay && !(await ledger.give(entry))) return tooMuch(entry.microcredits);
  // A concurrent request with the same key can have been first.
  if (isKeyed && !isSame(await ledger.findEntry(id), entry)) return new Refusal('idempotency_conflict');
  if (isReplay) exchange.headers['idempotency-replayed'] = 'true';
  else {
    const after = { entry: id, period, microcredits: given.microcredits, reason: given.reason };
    await accounts.record(`credit-${given.kind}`, account.id, { before: null, after, actor });
  }
  return accountView(parts, account, plans);
}

function refusalFor({ plan, status }: Account, { balance, kind }: GivenCredits): Refusal | undefined {
  if (status === 'closed' && kind !== 'adjustment') return refuseClosed();
  return balance === 'monthly' && plan === 'payg' ? nothingMonthly() : undefined;
}

/** Reports whether an entry has been written as it was wanted. */
const isSame = (written: Entry | undefined, { kind, microcredits, reason, period }: Entry): boolean =>
  written?.kind === kind &&
  written.microcredits === microcredits &&
  written.reason === reason &&
  balanceOf(written.period) === balanceOf(period);

function boundOf(usd: number, { min_usd, max_usd }: Config['purchases']): Refusal | undefined {
  if (usd >= min_usd && usd <= max_usd) return undefined;
  const bound = usd < min_usd ? `at least ${min_usd}` : `at most ${max_usd}`;
  return new Refusal('invalid_request', { message: `usd must be ${bound}, not ${usd}.`, param: 'usd' });
}

const nothingMonthly = (): Refusal =>
  new Refusal('conflict', { message: 'This plan has no monthly credits. Purchase credit instead.' });

const tooMuch = (microcredits: number): Refusal =>
  new Refusal('conflict', {
    message:
      microcredits < 0
        ? 'The available balance is too low. Open holds are not available.'
        : 'The balance would exceed the maximum of an account.',
    ...(microcredits < 0 && { param: 'credits' }),
  });
