import { Refusal } from '../../base/errors/refusal.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { AttemptKind } from '../people/attempt-limits.ts';
import { callerOf } from '../people/auth-caller.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardRoute, dashboardRoute } from './dashboard-route.ts';
import { hasTokenField, viewSession } from './session-answer.ts';
import * as schema from './session-schema.ts';

const anyone = { access: 'anyone' } as const;
const VERIFY = { status: 'verify' } as const;
const SENT = { status: 'sent' } as const;
const DONE = { status: 'done' } as const;
const post = (path: string) =>
  ({ method: 'POST', path: `/dashboard/v1/session/${path}`, access: 'anyone' }) as const;

/** Signing in, up and out, and what the pages need to know about the visitor. */
export const sessionRoutes = (parts: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    ...{ method: 'GET', path: '/dashboard/v1/session', ...anyone, answer: schema.sessionView },
    handle: ({ exchange, visitor }) => viewSession(parts, exchange, visitor),
  }),
  ...passwordRoutes(parts),
  ...linkRoutes(parts),
  ...providerRoutes(parts),
];

const passwordRoutes = ({ people, attempts, holderOf, joining }: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    ...{ ...post('sign-in'), body: schema.signInBody, answer: schema.signedInView },
    handle: async ({ exchange, body }) =>
      (await tooMany(attempts, exchange, 'sign-in', body.email)) ??
      withCookies(await people.signIn(body, callerOf(exchange))),
  }),
  dashboardRoute({
    ...{ ...post('two-factor'), body: schema.twoFactorBody, answer: schema.signedInView },
    handle: async ({ exchange, body }) =>
      (await tooMany(attempts, exchange, 'two-factor', '')) ??
      withCookies(await people.enterCode(body, callerOf(exchange))),
  }),
  dashboardRoute({
    ...{ ...post('admin-token'), body: schema.adminTokenBody, answer: schema.signedInView },
    async handle({ exchange, body: { token, ...person } }) {
      if (!hasTokenField(exchange)) return new Refusal('not_found');
      const wait = await tooMany(attempts, exchange, 'admin-token', person.email);
      if (wait) return wait;
      const holder = await holderOf(token, exchange);
      if (holder instanceof Refusal) return holder;
      return withCookies(await people.signInWithToken(holder, person, callerOf(exchange)));
    },
  }),
  dashboardRoute({
    ...{ ...post('sign-up'), body: schema.signUpBody, answer: schema.signedUpView },
    async handle({ exchange, body: { invitation, ...person } }) {
      const wait = await tooMany(attempts, exchange, 'sign-up', person.email);
      if (wait) return wait;
      const caller = callerOf(exchange);
      if (invitation !== undefined)
        return withCookies(await people.signUpInvited(invitation, person, caller));
      if (!joining.isOpen) return byInvitation();
      return (await people.signUp(person, caller)) ?? VERIFY;
    },
  }),
  dashboardRoute({
    ...{ ...post('sign-out'), answer: schema.doneView },
    async handle({ exchange }) {
      const cookies = await people.signOut(callerOf(exchange));
      return cookies instanceof Refusal ? cookies : { ...jsonReply(200, DONE), cookies };
    },
  }),
];

const linkRoutes = ({ people, attempts, memberships, accounts, store }: DashboardParts): DashboardRoute[] => [
  ...(['verification', 'reset'] as const).map((kind) =>
    dashboardRoute({
      ...{ ...post(kind), body: schema.emailBody, answer: schema.sentView },
      handle: async ({ exchange, body: { email } }) =>
        (await tooMany(attempts, exchange, kind, email)) ??
        (await people.askForLink(kind, email, callerOf(exchange))) ??
        SENT,
    }),
  ),
  dashboardRoute({
    ...{ ...post('verify'), body: schema.tokenBody, answer: schema.verifiedView },
    handle: async ({ exchange, body: { token } }) =>
      (await tooMany(attempts, exchange, 'link', '')) ??
      withCookies(await people.verify(token, callerOf(exchange))),
  }),
  dashboardRoute({
    ...{ ...post('new-password'), body: schema.newPasswordBody, answer: schema.doneView },
    handle: async ({ exchange, body: { token, password } }) =>
      (await tooMany(attempts, exchange, 'link', '')) ??
      (await people.choosePassword(token, password, callerOf(exchange))) ??
      DONE,
  }),
  dashboardRoute({
    ...{ ...post('invitation'), body: schema.tokenBody, answer: schema.invitationPreview },
    async handle({ exchange, body: { token } }) {
      const wait = await tooMany(attempts, exchange, 'link', '');
      if (wait) return wait;
      const invitation = await memberships.invitationOf(token);
      const account = invitation && (await accounts.find(invitation.account_id));
      if (!invitation || !account || account instanceof Refusal) return invitationGone();
      const { email, role, invited_by, expires_at } = invitation;
      const known = [
        { column: 'email', value: email },
        { column: 'email_verified', value: true },
      ];
      return {
        ...{ email, role, invited_by, organization: account.name },
        ...{ expires_at: new Date(expires_at).toISOString() },
        has_person: (await store.countPeople('person', known)) > 0,
      };
    },
  }),
];

const providerRoutes = ({ providers }: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    ...{ ...post('provider'), body: schema.providerBody, answer: schema.providerView },
    async handle({ exchange, body: { provider, return_to: returnTo = '/' } }) {
      const left = await providers.leave({ provider, returnTo }, callerOf(exchange));
      if (left instanceof Refusal) return left;
      return { ...jsonReply(200, { url: left.location }), cookies: left.cookies };
    },
  }),
  dashboardRoute({
    ...{ method: 'GET', path: '/dashboard/v1/auth/callback/{provider}', ...anyone, answer: schema.doneView },
    async handle({ exchange }) {
      const back = await providers.comeBack(exchange.params.provider!, exchange.query, callerOf(exchange));
      return { status: 302, body: null, headers: { location: back.location }, cookies: back.cookies };
    },
  }),
];

const tooMany = (
  attempts: DashboardParts['attempts'],
  exchange: Exchange,
  kind: AttemptKind,
  subject: string,
): Promise<Refusal | undefined> => {
  const network = clientNetwork(exchange);
  return attempts.count({ kind, network, subject: subject || network });
};

type Signed = { status: string; cookies: string[] } | Refusal;

const withCookies = (signed: Signed): Reply | Refusal =>
  signed instanceof Refusal
    ? signed
    : { ...jsonReply(200, { status: signed.status }), cookies: signed.cookies };

const byInvitation = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Sign-up is by invitation. Ask an operator or an owner for one.',
  });

const invitationGone = (): Refusal =>
  new Refusal('not_found', { message: 'This invitation has expired, or was used or withdrawn.' });
