import { Refusal } from '../../base/errors/refusal.ts';
import { hasMemberRole, type MemberRole, roleIn, type Visitor } from '../../customers/people/visitor.ts';
import type { Access } from './dashboard-route.ts';

/** Refuses a visitor whom a route does not admit. `accountId` is the account that the path names. */
export function refuseVisitor(
  access: Access,
  visitor: Visitor | undefined,
  accountId: string | undefined,
): Refusal | undefined {
  if (access === 'anyone') return undefined;
  if (!visitor) return signedOut();
  return access === 'person' ? undefined : refuseRole(visitor, accountId ?? '', access);
}

/** Refuses a visitor who has not at least this role in the organization. */
export function refuseRole(visitor: Visitor, accountId: string, access: MemberRole): Refusal | undefined {
  const role = roleIn(visitor, accountId);
  if (!role) return notAMember();
  return hasMemberRole(visitor, accountId, access) ? undefined : tooWeak(role, access);
}

/** Refuses a request without a session. */
export const signedOut = (): Refusal =>
  new Refusal('missing_api_key', { message: 'You are signed out. Sign in again.' });

/** Refuses a visitor who is in no organization of an id. */
export const notAMember = (): Refusal =>
  new Refusal('not_found', { message: 'You are in no organization with this id.' });

const tooWeak = (role: MemberRole, access: MemberRole): Refusal =>
  new Refusal('permission_denied', {
    message: `Your role in this organization is ${role}. This needs the role ${access}.`,
  });
