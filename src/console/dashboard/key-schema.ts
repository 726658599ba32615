import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { key } from '../admin/key-view.ts';
import { limitField } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();

/** `rotating`: the replaced secret still works. */
const keyStates = ['active', 'rotating', 'expired', 'revoked'] as const;

const { account_id: _, ...keyFields } = key.properties;

/** An API key of the organization that the path names, with its state. */
export const listedKey = Type.Object({
  ...keyFields,
  state: Type.Enum(keyStates),
  /**
   * The amount that counts against the cap in this calendar month. `null` means that the ledger of the
   * organization is being repaired.
   */
  month_spent_usd: orNull(Type.Number()),
});
export type ListedKey = ViewOf<typeof listedKey>;

/** `GET …/keys`. `state`: `active` (the default), `ended` or `all`. `q`: words of a name, a hint or an id. */
export const keysQuery = Type.Object({
  state: Type.Optional(Type.Enum(['active', 'ended', 'all'])),
  q: Type.Optional(Type.String({ maxLength: 200 })),
  after: Type.Optional(Type.String({ maxLength: 100 })),
  limit: limitField(100),
});
export const keyList = Type.Object({
  /** Newest first. */
  data: Type.Array(listedKey),
  /** The value of `after` for the next page. `null` means that this is the last one. */
  next: orNull(text),
  counts: Type.Object({ active: Type.Integer(), ended: Type.Integer() }),
  /** The time at which the sums of the caps begin anew. */
  month_ends_at: text,
});
export type KeyList = ViewOf<typeof keyList>;

/** `GET …/keys/names`: the names of all keys, including ended ones. */
export const keyNames = Type.Object({
  data: Type.Array(Type.Object({ id: text, name: orNull(text), hint: text })),
});
export type KeyNames = ViewOf<typeof keyNames>;

/** The only answer that contains a secret. */
export const shownKey = Type.Object({ secret: text, key: listedKey });
export type ShownKey = ViewOf<typeof shownKey>;
