import { Refusal } from '../../base/errors/refusal.ts';
import { parseIsoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';

const MAX_OVERLAP_S = 90 * 86_400;

/** The body that rotates the secret of a key or of an admin token. */
export const rotationBody = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP_S,
        description: 'The time in seconds for which the replaced secret stays valid. Default: 0.',
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Returns the schema of the time at which a key or an admin token expires. The value is null if there is no
 * such time.
 */
export const expiresAtField = (description?: string) => orNull(writtenTime, description);

/** Reads `expires_at`. The schema does not detect a time before 1970 that its offset makes. */
export function expiryOf(text: string | null): number | null {
  if (text === null) return null;
  const time = parseIsoTime(text);
  if (time !== undefined) return time;
  throw new Refusal('invalid_request', { message: 'expires_at must be a valid time.', param: 'expires_at' });
}
