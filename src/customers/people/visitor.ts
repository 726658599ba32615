import type { Exchange } from '../../edge/http/exchange.ts';
import type { AdminRole } from '../operators/admin-token.ts';

/** The roles of members, from the most rights to the fewest. */
export const memberRoles = ['owner', 'developer', 'viewer'] as const;

/**
 * `owner`: everything, including billing and members; `developer`: keys, requests and their content;
 * `viewer`: only reads, and no content.
 */
export type MemberRole = (typeof memberRoles)[number];

/** Reports whether members of a role make keys and send requests. */
export const makesKeys = (role: MemberRole): boolean => role !== 'viewer';

/** The part of a person in an organization. Every account is one organization. */
export type PersonMembership = { accountId: string; role: MemberRole };

/** The person behind a request to the dashboard's API, from the session of the request. */
export type Visitor = {
  userId: string;
  sessionId: string;
  /** The time of the person's sign-in. */
  sessionBegan: number;
  email: string;
  name: string;
  emailVerified: boolean;
  /** True if a sign-in with the password also needs a code. */
  hasTwoFactor: boolean;
  /** True if the person has no role until there is a second factor, which the configuration requires. */
  mustSetTwoFactor: boolean;
  /** The role as an operator. `null` for other people, and on a listener that is not for operators. */
  operator: AdminRole | null;
  memberships: readonly PersonMembership[];
};

/** Finds the person behind a request. */
export interface Visitors {
  /** Returns undefined if the request has no session, or the session has ended. */
  identify(exchange: Exchange): Promise<Visitor | undefined>;
}

/** Returns the visitor's role in an organization, or undefined for strangers. */
export const roleIn = ({ memberships }: Visitor, accountId: string): MemberRole | undefined =>
  memberships.find((membership) => membership.accountId === accountId)?.role;

/** Reports whether the person has at least this role in the organization. */
export function hasMemberRole(visitor: Visitor, accountId: string, minRole: MemberRole): boolean {
  const role = roleIn(visitor, accountId);
  return role !== undefined && memberRoles.indexOf(role) <= memberRoles.indexOf(minRole);
}
