import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { NAME } from '../routes/name-texts.ts';
import { email, password, token } from './credential-fields.ts';

const name = Type.String(NAME);

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
  /** `null` means that the person is not an operator, or that this listener is not for operators. */
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
