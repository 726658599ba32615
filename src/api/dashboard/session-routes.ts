import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { callerOf } from '../people/auth-caller.ts';
import type { Visitor } from '../people/visitor.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardRoute, dashboardRoute } from './dashboard-route.ts';
import {
  adminTokenBody,
  doneView,
  type SessionView,
  sessionView,
  signedInView,
  signedUpView,
  signInBody,
  signUpBody,
} from './session-schema.ts';

/** Signing in, up and out, and what the pages need to know about the visitor. */
export const sessionRoutes = (parts: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    ...{ method: 'GET', path: '/dashboard/v1/session', access: 'anyone', answer: sessionView },
    handle: ({ exchange, visitor }) => viewSession(parts, exchange, visitor),
  }),
  dashboardRoute({
    ...{ method: 'POST', path: '/dashboard/v1/session/sign-in', access: 'anyone' },
    ...{ body: signInBody, answer: signedInView },
    handle: async ({ exchange, body }) => withCookies(await parts.people.signIn(body, callerOf(exchange))),
  }),
  dashboardRoute({
    ...{ method: 'POST', path: '/dashboard/v1/session/admin-token', access: 'anyone' },
    ...{ body: adminTokenBody, answer: signedInView },
    async handle({ exchange, body: { token, ...person } }) {
      if (!hasTokenField(exchange)) return new Refusal('not_found');
      const holder = await parts.holderOf(token, exchange);
      if (holder instanceof Refusal) return holder;
      return withCookies(await parts.people.signInWithToken(holder, person, callerOf(exchange)));
    },
  }),
  dashboardRoute({
    ...{ method: 'POST', path: '/dashboard/v1/session/sign-up', access: 'anyone' },
    ...{ body: signUpBody, answer: signedUpView },
    async handle({ exchange, body: { invitation: _, ...person } }) {
      if (!isOpen(exchange)) return closedSignUp();
      const status = await parts.people.signUp(person, callerOf(exchange));
      return status instanceof Refusal ? status : { status };
    },
  }),
  dashboardRoute({
    ...{ method: 'POST', path: '/dashboard/v1/session/sign-out', access: 'anyone', answer: doneView },
    async handle({ exchange }) {
      const cookies = await parts.people.signOut(callerOf(exchange));
      return cookies instanceof Refusal ? cookies : { ...jsonReply(200, { status: 'done' }), cookies };
    },
  }),
];

type Signed = { status: string; cookies: string[] } | Refusal;

const withCookies = (signed: Signed): Reply | Refusal =>
  signed instanceof Refusal
    ? signed
    : { ...jsonReply(200, { status: signed.status }), cookies: signed.cookies };

/** With a listener for operators, the field is only there. */
const hasTokenField = ({ door }: Exchange): boolean => door !== 'public';

const isOpen = (_exchange: Exchange): boolean => true;

const closedSignUp = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Sign-up is by invitation. Ask an operator or an owner for one.',
  });

async function viewSession(
  { accounts, store }: DashboardParts,
  exchange: Exchange,
  visitor: Visitor | undefined,
): Promise<SessionView> {
  const memberships = visitor?.memberships ?? [];
  const found = await Promise.all(memberships.map(({ accountId }) => accounts.find(accountId)));
  const operators = hasTokenField(exchange) ? await store.countPeople('operator_role') : 1;
  return {
    person: visitor
      ? {
          ...{ id: visitor.userId, session_id: visitor.sessionId, email: visitor.email, name: visitor.name },
          email_verified: visitor.emailVerified,
        }
      : null,
    operator_role: visitor?.operator ?? null,
    organizations: found.flatMap((account, index) =>
      account instanceof Refusal
        ? []
        : {
            ...{ id: account.id, name: account.name, plan: account.plan, status: account.status },
            role: memberships[index]!.role,
          },
    ),
    settings: {
      ...{ open_sign_up: isOpen(exchange), providers: [], mail: false },
      ...{ admin_token_field: hasTokenField(exchange), first_start: operators === 0 },
    },
  };
}
