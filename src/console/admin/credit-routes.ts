import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { microcreditsOfCredits, microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { MAX_CREDITS, MAX_USD } from '../../settings/plans/amounts.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { NAME } from '../routes/name-texts.ts';
import { account } from './account-view.ts';
import { type AdminShape, adminRouteWith } from './admin-route.ts';
import { type CreditParts, giveCredit } from './give-credit.ts';

const route = adminRouteWith<keyof CreditParts>();

const reason = Type.String(NAME);

const creditRoute = {
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
      ...creditRoute,
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
      const { reason: given = null } = call.body;
      return giveCredit(parts, call, { kind: 'grant', balance: 'monthly', microcredits, reason: given });
    },
  ),
  route(
    {
      ...creditRoute,
      path: '/admin/v1/accounts/{id}/purchases',
      summary: 'Adds purchased credit at 500 credits per USD',
      body: Type.Object(
        {
          usd: Type.Number({
            minimum: 0,
            maximum: MAX_USD,
            description: 'The amount, within the bounds of `purchases` in the configuration.',
          }),
        },
        closed,
      ),
      bodyExample: { usd: 20 },
    },
    (call, parts) => {
      const { usd } = call.body;
      accepted(refuseAmount(usd, call.exchange.snapshot.config.purchases));
      const microcredits = microcreditsOfUsd(usd);
      if (microcredits === 0) throw noAmount('usd');
      return giveCredit(parts, call, { kind: 'purchase', balance: 'purchased', microcredits, reason: null });
    },
  ),
  route(
    {
      ...creditRoute,
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
      const { credits, ...destination } = call.body;
      const microcredits = microcreditsOfCredits(credits);
      if (microcredits === 0) throw noAmount('credits');
      return giveCredit(parts, call, { kind: 'adjustment', microcredits, ...destination });
    },
  ),
];

const noAmount = (param: 'credits' | 'usd'): Refusal =>
  new Refusal('invalid_request', {
    message: `${param} must not be 0. The smallest amount is 0.000001 credits.`,
    param,
  });

/** Refuses an amount outside of the bounds of purchases. */
function refuseAmount(usd: number, { min_usd, max_usd }: Config['purchases']): Refusal | undefined {
  if (usd >= min_usd && usd <= max_usd) return undefined;
  const bound = usd < min_usd ? `at least ${min_usd}` : `at most ${max_usd}`;
  return new Refusal('invalid_request', { message: `usd must be ${bound}, not ${usd}.`, param: 'usd' });
}
