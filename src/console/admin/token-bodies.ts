import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseIsoTime } from '../../base/lib/iso-time.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { NAME } from './name-texts.ts';
import { checkedBody } from './read-checked-body.ts';

const closed = { additionalProperties: false };

/** The time at which a key or token expires. Null: it does not expire. */
export const expiresAtField = Type.Union([writtenTime, Type.Null()]);

export const newTokenBody = checkedBody(
  Type.Object(
    {
      name: Type.String(NAME),
      role: Type.Enum(adminRoles),
      expires_at: Type.Optional(
        Type.Unsafe<Static<typeof expiresAtField>>({
          ...expiresAtField,
          description: 'A time in the future. Null: the token does not expire.',
        }),
      ),
    },
    closed,
  ),
);

const LONGEST_OVERLAP_S = 90 * 86_400;

export const rotationBody = checkedBody(
  Type.Object(
    {
      overlap_s: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_OVERLAP_S,
          description: 'The time in seconds for which the replaced secret stays valid. Default: 0.',
        }),
      ),
    },
    closed,
  ),
);

/** Reads `expires_at`. The schema does not detect a time before 1970 that its offset makes. */
export function expiryOf(text: string | null): number | null | Refusal {
  if (text === null) return null;
  return (
    parseIsoTime(text) ??
    new Refusal('invalid_request', { message: 'expires_at must be a valid time.', param: 'expires_at' })
  );
}
