import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { email, password, token } from './credential-fields.ts';

/** `POST /dashboard/v1/session/verification` and `POST /dashboard/v1/session/reset`: asks for a link. */
export const emailBody = Type.Object({ email });
export const sentView = Type.Object({ status: Type.Literal('sent') });
export const SENT: Static<typeof sentView> = { status: 'sent' };

/** `POST /dashboard/v1/session/verify`, with the token of the page's fragment (`/verify#token=…`). */
export const tokenBody = Type.Object({ token });

/**
 * `verified`: the person signs in next. `choose_password`: the passwords of all sign-ups with the address
 * ended, since none was known to be the owner's. A reset sets one.
 */
export const verifiedView = Type.Object({
  status: Type.Enum(['signed_in', 'verified']),
  choose_password: Type.Optional(Type.Literal(true)),
});
export type VerifiedView = Static<typeof verifiedView>;

/** `POST /dashboard/v1/session/new-password`, with the token of the page's fragment (`/reset#token=…`). */
export const newPasswordBody = Type.Object({ token, password });
/** `POST /dashboard/v1/session/invitation`, with the token of the page's fragment (`/invitation#token=…`). */
export const invitationPreview = Type.Object({
  email: Type.String(),
  organization: Type.String(),
  role: Type.Enum(memberRoles),
  invited_by: Type.String(),
  expires_at: Type.String(),
  /** The address has a person already, who signs in and accepts. Otherwise sign up with the token. */
  has_person: Type.Boolean(),
});
export type InvitationPreview = Static<typeof invitationPreview>;
