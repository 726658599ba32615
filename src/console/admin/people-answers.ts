import type { Static } from 'typebox';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import { memberRoles } from '../../customers/people/visitor.ts';

const text = Type.String();
const memberRole = Type.Enum(memberRoles, {
  description: '`owner`: everything; `developer`: keys and requests; `viewer`: only reads.',
});

export const person = Type.Object(
  {
    id: text,
    email: text,
    name: text,
    email_verified: Type.Boolean(),
    two_factor: Type.Boolean(),
    operator_role: Type.Union([Type.Enum(adminRoles), Type.Null()], {
      description: 'Null: the person is no operator.',
    }),
    organizations: Type.Array(Type.Object({ account_id: text, role: memberRole })),
    sign_ins: Type.Array(text, { description: 'The ways to sign in. `credential` is the password.' }),
    sessions: Type.Integer({ description: 'The number of open sessions.' }),
    wanted_links: Type.Array(Type.Enum(['verification', 'reset', 'invitation']), {
      description: 'The links that the person asked for and no mail could bring.',
    }),
    created_at: time,
  },
  { title: 'Person' },
);

export const member = Type.Object(
  { id: text, email: text, name: text, role: memberRole, joined_at: time },
  { title: 'Member' },
);

const invitationFields = {
  id: text,
  email: text,
  role: memberRole,
  invited_by: text,
  created_at: time,
  expires_at: time,
};
export const invitation = Type.Object(invitationFields, { title: 'Invitation' });
export const newInvitation = Type.Object(
  {
    ...invitationFields,
    link: Type.Union([text, Type.Null()], {
      description: 'The link to hand over, shown only in this answer. Null: it is on its way by mail.',
    }),
  },
  { title: 'New Invitation' },
);

/** A person, as operators see one. */
export type PersonView = Static<typeof person>;
export type NewInvitationView = Static<typeof newInvitation>;
