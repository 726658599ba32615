import { Type } from '../../base/schema/type.ts';
import { ADDRESS } from '../routes/name-texts.ts';

export const email = Type.String(ADDRESS);

/** A new password. It is long enough that guesses fail, and short enough to hash. */
export const password = Type.String({ minLength: 10, maxLength: 256 });

/** The admin token, or the token of a link. */
export const token = Type.String({ minLength: 1, maxLength: 2_000 });
