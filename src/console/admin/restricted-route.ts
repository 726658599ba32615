import type { AdminRole } from '../../customers/operators/admin-token.ts';
import type { Route } from '../../edge/http/route.ts';

/** A route for some roles. By default all roles may read, and owners and operators may change. */
export type RestrictedRoute = Route & {
  roles?: readonly AdminRole[] | undefined;
  /** Refuses a person with a session that began too long ago. Admin tokens are not affected. */
  needsRecentSignIn?: boolean;
};

const EVERY_ROLE: readonly AdminRole[] = ['owner', 'operator', 'read_only'];
const CHANGERS: readonly AdminRole[] = ['owner', 'operator'];

/** Returns the roles that may use a route. */
export const admittedRoles = ({ method, roles }: RestrictedRoute): readonly AdminRole[] =>
  roles ?? (method === 'GET' ? EVERY_ROLE : CHANGERS);
