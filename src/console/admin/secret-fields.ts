import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';
import { timeOfField } from '../routes/time-of-field.ts';

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
  closed,
);

/**
 * Returns the schema of the time at which a key or an admin token expires. The value is null if there is no
 * such time.
 */
export const expiresAtField = (description?: string) => orNull(writtenTime, description);

/** Reads `expires_at`. */
export const secretExpiry = (text: string | null): number | null =>
  text === null ? null : timeOfField(text, 'expires_at');
