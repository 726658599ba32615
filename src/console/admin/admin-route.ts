import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { parametersOf } from '../../edge/http/parameters-of.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { RouteDescription, RouteParameter } from '../../edge/http/route.ts';
import type { AdminGroup } from '../../edge/http/route-group.ts';
import { createCallReader } from '../routes/create-call-reader.ts';
import type { Call, HandlerResult, RouteShape, ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';
import type { RestrictedRoute } from './restricted-route.ts';

/** A route of the admin API, with its description for `/docs` and `/openapi.json`. */
export type AdminShape = RouteShape & {
  path: `/admin/v1/${string}`;
  /** The roles that may use the route. By default every role reads, and owners and operators change. */
  roles?: readonly AdminRole[];
  /**
   * The route decides who can sign in or act as an operator. Somebody who finds a browser open must not be
   * able to use it, so a person needs a recent sign-in.
   */
  needsRecentSignIn?: true;
  group: AdminGroup;
  summary: string;
  /** The description of the answer. */
  returns: string;
  headers?: readonly RouteParameter[];
  bodyExample?: unknown;
  /** Reports whether a call changes nothing. Its answer then has the status 200. */
  isDry?: (query: Readonly<Record<string, unknown>>) => boolean;
  /** Errors in addition to those that follow from the token, the query and the body. */
  errors?: readonly ErrorCode[];
};

/** `actor` is the name of the operator in the audit log. */
export type AdminCall<Shape extends RouteShape> = Call<Shape> & { actor: string };

type PartName = keyof AdminParts;

/** A route whose handler was checked. `never` lets one table hold handlers of different calls. */
export type AdminRoute<Shape extends AdminShape = AdminShape, Names extends PartName = PartName> = Shape & {
  handle(call: never, parts: Pick<AdminParts, Names>): HandlerResult<unknown>;
};

/** Returns a function that makes routes. Their handlers get only the parts with these names. */
export const adminRouteWith =
  <Names extends PartName>() =>
  <const Shape extends AdminShape>(
    shape: Shape,
    handle: (
      call: AdminCall<Shape>,
      parts: Pick<AdminParts, Names>,
    ) => HandlerResult<ViewOf<Shape['answer']>>,
  ): AdminRoute<Shape, Names> => ({ ...shape, handle });

/** Makes a route of the server, which does not check who sends a request. */
export function serveAdminRoute<Names extends PartName>(
  route: AdminRoute<AdminShape, Names>,
  parts: Pick<AdminParts, Names | 'readBody'>,
): RestrictedRoute {
  const { method, path, roles, needsRecentSignIn = false, status = 200 } = route;
  const readCall = createCallReader(route, { readBody: parts.readBody, isQueryClosed: true });
  return {
    method,
    path,
    roles,
    needsRecentSignIn,
    describe: describeRoute(route),
    async handle(exchange) {
      const call = await readCall(exchange);
      if (call instanceof Refusal) return call;
      // The gate has set the operator, and `adminRouteWith` has checked what the handler takes.
      const answer = await route.handle({ ...call, actor: exchange.operator! } as never, parts);
      return jsonReply(route.isDry?.(call.query) ? 200 : status, answer);
    },
  };
}

const describeRoute = ({ query, body, ...route }: AdminShape): RouteDescription => ({
  group: route.group,
  key: 'admin',
  summary: route.summary,
  ...(query && { query: parametersOf(query) }),
  ...(route.headers && { headers: route.headers }),
  ...(body && { body, bodyExample: route.bodyExample }),
  answer: route.returns,
  ...(route.status && { answerStatus: route.status }),
  answerSchema: route.answer,
  ...(route.errors && { errors: route.errors }),
});
