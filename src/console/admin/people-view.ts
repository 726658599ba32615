import type { Invitation, Member } from '../../customers/people/memberships.ts';
import type { KnownPerson } from '../../customers/people/people-directory.ts';

const time = (ms: number): string => new Date(ms).toISOString();

export const personView = (person: KnownPerson) => ({
  id: person.id,
  email: person.email,
  name: person.name,
  email_verified: person.email_verified,
  two_factor: person.two_factor_enabled,
  operator_role: person.operatorRole,
  organizations: person.memberships.map(({ accountId, role }) => ({ account_id: accountId, role })),
  /** `credential` is the password. */
  sign_ins: person.providers,
  sessions: person.sessions,
  wanted_links: person.wantedLinks,
  created_at: time(person.created_at),
});

export const memberView = ({ id, email, name, role, joinedAt }: Member) => ({
  id,
  email,
  name,
  role,
  joined_at: time(joinedAt),
});

export const invitationView = ({ id, email, role, invited_by, created_at, expires_at }: Invitation) => ({
  id,
  email,
  role,
  invited_by,
  created_at: time(created_at),
  expires_at: time(expires_at),
});
