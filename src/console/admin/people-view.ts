import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import type { Invitation } from '../../customers/people/invitation-changes.ts';
import type { Member } from '../../customers/people/memberships.ts';
import type { KnownPerson } from '../../customers/people/read-known-people.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const memberRole = Type.Enum(memberRoles, {
  description: '`owner`: everything; `developer`: keys and requests; `viewer`: only reads.',
});

/** A person who can sign in, with the memberships. */
export const person = Type.Object(
  {
    id: text,
    email: text,
    name: text,
    email_verified: Type.Boolean(),
    two_factor: Type.Boolean(),
    operator_role: orNull(Type.Enum(adminRoles), '`null` means that the person is not an operator.'),
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

/** A person as a member of an account. */
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
/** An invitation with its link, if an operator must hand it over. */
export const newInvitation = Type.Object(
  {
    ...invitationFields,
    link: orNull(
      text,
      'The link to hand over, shown only in this answer. `null` means that it is on its way by mail.',
    ),
  },
  { title: 'New Invitation' },
);
/** The answer of a change that has nothing else to show. */
export const done = Type.Object({ id: text, done: Type.Literal(true) });
export const doneView = (id: string): ViewOf<typeof done> => ({ id, done: true });

export type PersonView = ViewOf<typeof person>;
export type NewInvitationView = ViewOf<typeof newInvitation>;

export const personView = (person: KnownPerson): PersonView => ({
  id: person.id,
  email: person.email,
  name: person.name,
  email_verified: person.email_verified,
  two_factor: person.two_factor_enabled,
  operator_role: person.operatorRole,
  organizations: person.memberships.map(({ accountId, role }) => ({ account_id: accountId, role })),
  sign_ins: person.providers,
  sessions: person.sessions,
  wanted_links: person.wantedLinks,
  created_at: isoTime(person.created_at),
});

export const memberView = ({ id, email, name, role, joinedAt }: Member): ViewOf<typeof member> => ({
  id,
  email,
  name,
  role,
  joined_at: isoTime(joinedAt),
});

export const invitationView = (invited: Invitation): ViewOf<typeof invitation> => ({
  id: invited.id,
  email: invited.email,
  role: invited.role,
  invited_by: invited.invited_by,
  created_at: isoTime(invited.created_at),
  expires_at: isoTime(invited.expires_at),
});
