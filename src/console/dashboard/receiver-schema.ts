import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';

const email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@<>,;"?&#%]+@[^\\s@<>,;"?&#%]+$' });

/** `POST …/billing/alerts` */
export const receiverOrder = Type.Object(
  {
    addresses: Type.Array(email, { maxItems: 10 }),
    webhook_url: orNull(Type.String({ maxLength: 2_000, pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$' })),
    low_percents: Type.Array(Type.Number({ minimum: 0, maximum: 99 }), { maxItems: 5 }),
    caps: Type.Boolean(),
  },
  closed,
);
/** `GET …/billing/alerts` */
export const receiverView = Type.Object({
  addresses: Type.Array(Type.String()),
  /** The addresses that get nothing until the link that was sent there confirms them. */
  unconfirmed: Type.Array(Type.String()),
  webhook_url: orNull(Type.String()),
  low_percents: Type.Array(Type.Number()),
  caps: Type.Boolean(),
  /** True if this server sends mail. */
  mail: Type.Boolean(),
  /** The signing secret. It is shown only when it is new. */
  secret: orNull(Type.String()),
});
export type ReceiverView = Static<typeof receiverView>;

/**
 * `POST /dashboard/v1/alert-addresses/confirm`, with the token of the page's fragment
 * (`/confirm-address#token=…`).
 */
export const confirmAddressOrder = Type.Object({ token: Type.String({ maxLength: 200 }) }, closed);
export const confirmedAddressView = Type.Object({ address: Type.String() });
export type ConfirmedAddressView = Static<typeof confirmedAddressView>;

/** `POST …/billing/alerts/test` */
export const alertTestView = Type.Object({
  data: Type.Array(
    Type.Object({ receiver: Type.String(), state: Type.String(), error: orNull(Type.String()) }),
  ),
});
export type AlertTestView = Static<typeof alertTestView>;
