import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole, Operator } from '../../customers/operators/admin-token.ts';
import type { TokenService } from '../../customers/operators/token-service.ts';
import type { WrongTokens } from '../../customers/operators/wrong-tokens.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';

const BEARER = /^Bearer +(\S+)$/i;

export type AdminGate = { service: TokenService; wrongTokens: WrongTokens };

/**
 * A route that only some roles may use.
 * Without `roles`, reads are open to all, and other methods to owners and operators.
 */
export type RestrictedRoute = Route & { roles?: readonly AdminRole[] | undefined };

const EVERY_ROLE: readonly AdminRole[] = ['owner', 'operator', 'read_only'];
const CHANGERS: readonly AdminRole[] = ['owner', 'operator'];

/**
 * Restricts routes to requests with an admin token whose role is sufficient.
 * Handlers find its holder in `exchange.operator`.
 */
export function requireAdminToken(gate: AdminGate, routes: readonly RestrictedRoute[]): Route[] {
  return routes.map(({ roles, ...route }) => {
    const admitted = rolesOf({ method: route.method, roles });
    return {
      ...route,
      ...(roles && route.describe && { describe: withRoles(route.describe) }),
      handle: async (exchange) => {
        const operator = await identify(exchange, gate);
        if (operator instanceof Refusal) return operator;
        if (!admitted.includes(operator.role)) return refuseRole(operator, admitted);
        exchange.operator = operator.name;
        exchange.operatorRole = operator.role;
        return route.handle(exchange);
      },
    };
  });
}

/** Adds the error of a role that is not sufficient. */
const withRoles = (describe: RouteDescription): RouteDescription => ({
  ...describe,
  errors: [...(describe.errors ?? []), 'permission_denied'],
});

type RoleRule = Pick<RestrictedRoute, 'method' | 'roles'>;

/** Returns the roles that may use a route. */
const rolesOf = ({ method, roles }: RoleRule): readonly AdminRole[] =>
  roles ?? (method === 'GET' ? EVERY_ROLE : CHANGERS);

/** Reports whether a role may use a route. */
export const mayUse = (route: RoleRule, role: AdminRole): boolean => rolesOf(route).includes(role);

async function identify(exchange: Exchange, gate: AdminGate): Promise<Operator | Refusal> {
  const header = exchange.request.headers.get('authorization')?.trim();
  if (!header) {
    return new Refusal('missing_api_key', {
      message: 'The admin token is missing. Send it as `Authorization: Bearer …`.',
    });
  }
  const bearerToken = BEARER.exec(header)?.[1];
  if (bearerToken === undefined)
    return new Refusal('invalid_api_key', { message: 'The admin token must be sent as `Bearer …`.' });
  return identifyToken(bearerToken, exchange, gate);
}

/** Returns the holder of a token. Wrong tokens of a network are slowed. */
export async function identifyToken(
  sent: string,
  exchange: Exchange,
  { service, wrongTokens }: AdminGate,
): Promise<Operator | Refusal> {
  const operator = await service.identify(sent);
  if (!(operator instanceof Refusal)) return operator;
  const tooMany = await wrongTokens.slow(clientNetwork(exchange));
  return tooMany ?? (sent.startsWith(exchange.snapshot.names.keyPrefix) ? anApiKey() : operator);
}

const anApiKey = (): Refusal =>
  new Refusal('invalid_api_key', {
    message: 'This is an API key. The admin API accepts only admin tokens.',
  });

function refuseRole({ role }: Operator, admitted: readonly AdminRole[]): Refusal {
  const needed = admitted.map((name) => `\`${name}\``).join(' or ');
  const message = `The admin token has the role \`${role}\`. This request needs ${needed}.`;
  return new Refusal('permission_denied', { message });
}
