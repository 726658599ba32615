import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';

const balance = Type.Enum(['monthly', 'purchased']);

/** `GET …/billing/entries?after&purchased` */
export const entriesQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** The balance that the previous page ended with, in micro-credits. */
    purchased: Type.Optional(Type.String({ pattern: '^-?\\d{1,16}$' })),
  },
  closed,
);
const creditLine = Type.Object({
  /** `null` means that the row is a sum of usage between two entries. */
  id: orNull(Type.String()),
  kind: Type.Enum(['usage', 'grant', 'purchase', 'renewal', 'adjustment']),
  balance,
  from: Type.String(),
  to: Type.String(),
  /** Positive: credit was given. */
  credits: Type.Number(),
  requests: orNull(Type.Integer()),
  reason: orNull(Type.String()),
  purchased_credits_after: Type.Number(),
  /** The amount that was spent or taken back beyond all purchases. */
  debt_credits_after: Type.Number(),
});
export const entriesView = Type.Object({
  data: Type.Array(creditLine),
  /** The query of the next page. */
  next: orNull(Type.Object({ after: Type.String(), purchased: Type.String() })),
});
export type EntriesView = Static<typeof entriesView>;

/** `GET …/billing/entries/{id}` */
export const entryDetail = Type.Object({
  id: Type.String(),
  at: Type.String(),
  kind: Type.String(),
  balance,
  credits: Type.Number(),
  reason: orNull(Type.String()),
  sequence: Type.Integer(),
  hash: Type.String(),
});
export type EntryDetail = Static<typeof entryDetail>;
