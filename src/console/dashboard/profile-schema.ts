import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { ADDRESS, NAME } from '../routes/name-texts.ts';

const currentPassword = Type.String({ minLength: 1, maxLength: 256 });
const chosen = Type.String({ minLength: 10, maxLength: 256 });

/** `GET /dashboard/v1/me` */
export const profileView = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  has_password: Type.Boolean(),
  two_factor: Type.Boolean(),
  sign_ins: Type.Array(
    Type.Object({
      id: Type.String(),
      /** `credential` is the password. */
      provider: Type.String(),
      name: Type.String(),
      created_at: Type.String(),
    }),
  ),
});
export type ProfileView = Static<typeof profileView>;

/** `PATCH /dashboard/v1/me` */
export const profileChange = Type.Object({ name: Type.String(NAME) });
/** `POST /dashboard/v1/me/email`. The new address gets a link, and is in force when it is used. */
export const emailChange = Type.Object({ email: Type.String(ADDRESS), password: currentPassword });
/** `POST /dashboard/v1/me/password`. All other sessions end. */
export const passwordChange = Type.Object({ current_password: currentPassword, password: chosen });

/** `GET /dashboard/v1/me/sessions` */
export const sessionsView = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      created_at: Type.String(),
      expires_at: Type.String(),
      address: orNull(Type.String()),
      /** The user agent, as the browser sent it. */
      browser: orNull(Type.String()),
      is_this: Type.Boolean(),
    }),
  ),
});
export type SessionsView = Static<typeof sessionsView>;

export const passwordBody = Type.Object({ password: currentPassword });

/**
 * `POST /dashboard/v1/me/two-factor`. The second factor is in force after `POST
 * /dashboard/v1/me/two-factor/confirm`.
 */
export const twoFactorDraft = Type.Object({
  /** The address for the QR code. */
  uri: Type.String(),
  recovery_codes: Type.Array(Type.String()),
});
export type TwoFactorView = Static<typeof twoFactorDraft>;
export const codeBody = Type.Object({ code: Type.String({ minLength: 4, maxLength: 20 }) });
export const recoveryCodesView = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodesView = Static<typeof recoveryCodesView>;
