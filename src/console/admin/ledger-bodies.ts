import { Type } from '../../base/schema/type.ts';
import { MOST_CREDITS, MOST_USD } from '../../settings/plans/amounts.ts';
import { NAME } from './name-texts.ts';
import { checkedBody } from './read-checked-body.ts';

const closed = { additionalProperties: false };
const reason = Type.String(NAME);

export const grantBody = checkedBody(
  Type.Object(
    { credits: Type.Number({ minimum: 0.000001, maximum: MOST_CREDITS }), reason: Type.Optional(reason) },
    closed,
  ),
);

/** A purchase of any amount within the limits of the configuration. */
export const purchaseBody = checkedBody(
  Type.Object({ usd: Type.Number({ minimum: 0, maximum: MOST_USD }) }, closed),
);

export const adjustmentBody = checkedBody(
  Type.Object(
    {
      credits: Type.Number({ minimum: -MOST_CREDITS, maximum: MOST_CREDITS }),
      balance: Type.Enum(['monthly', 'purchased']),
      reason,
    },
    closed,
  ),
);

export const repairBody = checkedBody(
  Type.Object(
    {
      keep_balances: Type.Optional(
        Type.Boolean({
          description:
            'Keeps the current balances by adding adjustments. Default: the balances are recomputed from the entries.',
        }),
      ),
    },
    closed,
  ),
);
