import type { Static, TSchema } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { createValidator } from '../../base/schema/validator.ts';
import { type MemberRole, memberRoles, type Visitor, type Visitors } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Method, Route } from '../../edge/http/route.ts';
import { requireSameOrigin } from './require-same-origin.ts';

/**
 * The visitors that a route admits. `anyone` needs no session and `person` any session. A role is the least role in the organization
 * that the path names as `{account}`.
 */
export type Access = 'anyone' | 'person' | MemberRole;

/** `visitor` is undefined only where the access is `anyone`. */
export type DashboardCall<Query, Body> = {
  exchange: Exchange;
  visitor: Visitor;
  /** The account that the path names. */
  accountId: string;
  query: Query;
  body: Body;
};

export type DashboardRoute<
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> = {
  method: Method;
  path: `/dashboard/v1/${string}`;
  access: Access;
  /** All values of a query are text. */
  query?: Query;
  body?: Body;
  answer: Answer;
  /** A `Reply` is sent as it is, for streams and files. */
  handle(
    call: DashboardCall<Static<Query>, Static<Body>>,
  ): Promise<Static<Answer> | Reply | Refusal> | Static<Answer> | Reply | Refusal;
};

export type DashboardGate = { visitors: Visitors; readBody: BodyReader };

/** Keeps the types of a route's schemas for its handler. */
export const dashboardRoute = <Query extends TSchema, Body extends TSchema, Answer extends TSchema>(
  route: DashboardRoute<Query, Body, Answer>,
): DashboardRoute => route as unknown as DashboardRoute;

/** Marks an answer that is sent as it is. */
const isReply = (answer: object): answer is Reply => 'status' in answer && 'body' in answer;

/** Makes a route of the server: same origin, session, role, query and body are checked before the handler runs. */
export function guarded({ visitors, readBody }: DashboardGate, route: DashboardRoute): Route {
  const { method, path, access, handle } = route;
  const checkQuery = checker(route.query, 'query');
  const checkBody = checker(route.body, 'body');
  const answerCall = async (exchange: Exchange): Promise<Reply | Refusal> => {
    exchange.headers['cache-control'] = 'no-store';
    const foreign = requireSameOrigin(exchange);
    if (foreign) return foreign;
    const visitor = await visitors.identify(exchange);
    const accountId = exchange.params.account ?? '';
    const refusal = admit(access, visitor, accountId);
    if (refusal) return refusal;
    const query = Object.fromEntries(new URLSearchParams(exchange.query));
    const wrongQuery = checkQuery(query);
    if (wrongQuery) return wrongQuery;
    const body = route.body ? await readBody(exchange) : undefined;
    if (body instanceof Refusal) return body;
    const wrongBody = checkBody(body?.value);
    if (wrongBody) return wrongBody;
    const answer = await handle({ exchange, visitor: visitor!, accountId, query, body: body?.value });
    if (answer instanceof Refusal) return answer;
    return isReply(answer as object) ? (answer as Reply) : jsonReply(200, answer);
  };
  return { method, path, handle: answerCall };
}

function checker(schema: TSchema | undefined, subject: string): (value: unknown) => Refusal | undefined {
  if (!schema) return () => undefined;
  const validate = createValidator(schema);
  return (value) => {
    const problem = validate(value);
    if (problem === undefined) return undefined;
    const param = formatPath(problem.path);
    const message = `${param === '' ? `The ${subject}` : param} ${problem.message}.`;
    return new Refusal('invalid_request', { message, param: param || null });
  };
}

function admit(access: Access, visitor: Visitor | undefined, accountId: string): Refusal | undefined {
  if (access === 'anyone') return undefined;
  if (!visitor) return signedOut();
  if (access === 'person') return undefined;
  const role = visitor.memberships.find((one) => one.accountId === accountId)?.role;
  if (!role) return new Refusal('not_found', { message: 'You are in no organization with this id.' });
  return memberRoles.indexOf(role) <= memberRoles.indexOf(access) ? undefined : tooWeak(role, access);
}

export const signedOut = (): Refusal =>
  new Refusal('missing_api_key', { message: 'You are signed out. Sign in again.' });

const tooWeak = (role: MemberRole, access: MemberRole): Refusal =>
  new Refusal('permission_denied', {
    message: `Your role in this organization is ${role}. This needs the role ${access}.`,
  });
