import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { ADDRESS, NAME } from '../routes/name-texts.ts';

const email = Type.String(ADDRESS);
/** Long enough that guesses fail, and short enough to hash. */
const password = Type.String({ minLength: 10, maxLength: 256 });
const name = Type.String(NAME);
const token = Type.String({ minLength: 1, maxLength: 2_000 });

/** `GET /dashboard/v1/session` */
export const sessionView = Type.Object({
  /** `null` means that nobody is signed in. */
  person: orNull(
    Type.Object({
      id: Type.String(),
      session_id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      email_verified: Type.Boolean(),
      /** True if the person has no role before two-factor sign-in is on. */
      must_set_two_factor: Type.Boolean(),
    }),
  ),
  /** `null` means that the person is no operator, or that this listener is not for operators. */
  operator_role: orNull(Type.Enum(adminRoles)),
  organizations: Type.Array(
    Type.Object({
      /** The id of the account. */
      id: Type.String(),
      name: Type.String(),
      plan: Type.String(),
      status: Type.Enum(['active', 'suspended', 'closed']),
      role: Type.Enum(memberRoles),
    }),
  ),
  settings: Type.Object({
    /** True if everybody can sign up. Otherwise people need an invitation. */
    open_sign_up: Type.Boolean(),
    /** The identity providers with which people can sign in. */
    providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    /** True if the server sends mail. Otherwise operators hand links over. */
    mail: Type.Boolean(),
    /** True if the sign-in page shows the field for the admin token. */
    admin_token_field: Type.Boolean(),
    /** True while there is no operator. The field for the admin token then comes first. */
    first_start: Type.Boolean(),
  }),
});
export type SessionView = Static<typeof sessionView>;

/** `POST /dashboard/v1/session/sign-in` */
export const signInBody = Type.Object({ email, password: Type.String({ minLength: 1, maxLength: 256 }) });
/** `two_factor`: continue with `POST /dashboard/v1/session/two-factor`. */
export const signedInView = Type.Object({ status: Type.Enum(['signed_in', 'two_factor']) });
export type SignedInView = Static<typeof signedInView>;

/** `POST /dashboard/v1/session/admin-token` */
export const adminTokenBody = Type.Object({ token, email, name, password });

/**
 * `POST /dashboard/v1/session/sign-up`. With the token of an invitation the address is that of the
 * invitation.
 */
export const signUpBody = Type.Object({ email, name, password, invitation: Type.Optional(token) });
/** `verify`: a link was sent to the address. The answer is the same for an address that is known. */
export const signedUpView = Type.Object({ status: Type.Enum(['signed_in', 'verify']) });

/** `POST /dashboard/v1/session/two-factor` */
export const twoFactorBody = Type.Object({
  code: Type.String({ minLength: 4, maxLength: 40 }),
  kind: Type.Enum(['totp', 'recovery']),
});

/** `POST /dashboard/v1/session/provider`. The browser then goes to `url`. */
export const providerBody = Type.Object({
  provider: Type.String({ maxLength: 64 }),
  /** A page of this server. */
  return_to: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export const providerView = Type.Object({ url: Type.String() });

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
export const doneView = Type.Object({ status: Type.Literal('done') });
/** The answer of a change that has nothing else to show. */
export const DONE: Static<typeof doneView> = { status: 'done' };

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
