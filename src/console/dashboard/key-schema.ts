import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { retriesChoices } from '../../money/accounts/api-key.ts';
import { limitField } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();

/** `rotating`: the replaced secret still works. */
const keyStates = ['active', 'rotating', 'expired', 'revoked'] as const;

/** An API key with its state, without its secret. */
export const listedKey = Type.Object({
  id: text,
  name: orNull(text),
  /** The first characters of the key. */
  hint: text,
  state: Type.Enum(keyStates),
  payg: Type.Boolean(),
  monthly_cap_usd: orNull(Type.Number()),
  /**
   * The amount that counts against the cap in this calendar month. `null` means that the ledger of the
   * organization is being repaired.
   */
  month_spent_usd: orNull(Type.Number()),
  /** `null` means all models. */
  allowed_models: orNull(Type.Array(text)),
  limits: orNull(
    Type.Object({
      requests_per_min: orNull(Type.Integer()),
      tokens_per_min: orNull(Type.Integer()),
      concurrent: orNull(Type.Integer()),
    }),
  ),
  retries: Type.Enum(retriesChoices),
  resumable: Type.Boolean(),
  /** The member that the key belongs to. `null` means nobody. */
  person_id: orNull(text),
  tags: Type.Array(text),
  created_at: text,
  /** Exact to a minute. `null` means that no request has used the key. */
  last_used_at: orNull(text),
  expires_at: orNull(text),
  /** The end of the overlap of the latest rotation. */
  previous_secret_ends_at: orNull(text),
  revoked_at: orNull(text),
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

/** `GET …/keys/names`: what pages call the keys, ended ones too. */
export const keyNames = Type.Object({
  data: Type.Array(Type.Object({ id: text, name: orNull(text), hint: text })),
});
export type KeyNames = Static<typeof keyNames>;

/** The only answer that has a key. */
export const shownKey = Type.Object({ secret: text, key: listedKey });
export type ShownKey = ViewOf<typeof shownKey>;
