import { Refusal } from '../../base/errors/refusal.ts';
import type { AttemptKind } from '../../customers/people/attempt-limits.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { cookiePrefix } from '../../customers/people/auth-cookies.ts';
import { cookieIn, formatCookie } from '../../customers/people/cookies.ts';
import { originOf } from '../../customers/people/origin-of.ts';
import type { SignedIn } from '../../customers/people/people-service.ts';
import { providerIdOf } from '../../customers/people/sign-in-providers.ts';
import { SIGN_UP_S } from '../../customers/people/sign-ups.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { hasTokenField, viewSession } from './session-answer.ts';
import * as schema from './session-schema.ts';

const anyone = { access: 'anyone' } as const;
const VERIFY = { status: 'verify' } as const;
const SENT = { status: 'sent' } as const;
const DONE = { status: 'done' } as const;
const post = (path: string) =>
  ({ method: 'POST', path: `/dashboard/v1/session/${path}`, access: 'anyone' }) as const;

/** Signing in, up and out, and what the pages need to know about the visitor. */
export const sessionRoutes = [
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/session', ...anyone, answer: schema.sessionView },
    ({ exchange, visitor }, parts) => viewSession(parts, exchange, visitor),
  ),
  dashboardRoute(
    { ...post('sign-in'), body: schema.signInBody, answer: schema.signedInView },
    async ({ exchange, body }, parts) => {
      const { attempts, devices, hashing, people, signIns } = parts;
      const device = await devices.find(exchange, body.email);
      const networks = clientNetworks(exchange);
      const wait = await attempts.count({ kind: 'sign-in', networks, subject: body.email, device });
      if (wait) return wait;
      const guest = { network: networks.at(-1)!, device };
      const signed = await hashing.as(guest, () => people.signIn(body, callerOf(exchange)));
      await signIns.record(exchange, { by: 'password', email: body.email }, signed);
      return withCookies(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    { ...post('two-factor'), body: schema.twoFactorBody, answer: schema.signedInView },
    async ({ exchange, body }, parts) => {
      const wait = await tooMany(parts, exchange, 'two-factor');
      if (wait) return wait;
      const signed = await parts.people.enterCode(body, callerOf(exchange));
      await parts.signIns.recordCode(exchange, signed);
      return withCookies(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    { ...post('admin-token'), body: schema.adminTokenBody, answer: schema.signedInView },
    async ({ exchange, body: { token, ...person } }, parts) => {
      if (!hasTokenField(exchange)) return new Refusal('not_found');
      const wait = await tooMany(parts, exchange, 'admin-token', person.email);
      if (wait) return wait;
      const holder = await parts.holderOf(token, exchange);
      const signed =
        holder instanceof Refusal
          ? holder
          : await asGuest(parts, exchange, () =>
              parts.people.signInWithToken(holder, person, callerOf(exchange)),
            );
      await parts.signIns.record(exchange, { by: 'admin-token', email: person.email }, signed);
      return withCookies(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    { ...post('sign-up'), body: schema.signUpBody, answer: schema.signedUpView },
    async ({ exchange, body: { invitation, ...person } }, parts) => {
      const wait = await tooMany(parts, exchange, 'sign-up', person.email);
      if (wait) return wait;
      return asGuest(parts, exchange, () => signUp(parts, exchange, { person, invitation }));
    },
  ),
  dashboardRoute(
    { method: 'POST', path: '/dashboard/v1/session/sign-out', access: 'anyone', answer: schema.doneView },
    async ({ exchange, visitor }, parts) => {
      const cookies = await parts.people.signOut(callerOf(exchange));
      if (visitor && !(cookies instanceof Refusal)) await parts.signIns.signedOut(exchange, visitor);
      return cookies instanceof Refusal ? cookies : { ...jsonReply(200, DONE), cookies };
    },
  ),
];

/** Links, invitations and other ways to sign in. */
export const linkRoutes = [
  ...(['verification', 'reset'] as const).map((kind) =>
    dashboardRoute(
      { ...post(kind), body: schema.emailBody, answer: schema.sentView },
      async ({ exchange, body: { email } }, parts) => {
        const wait = await tooMany(parts, exchange, kind, email);
        if (wait) return wait;
        const signUp = cookieIn(exchange, signUpCookieOf(exchange));
        await parts.links.askForLink(kind, { email, signUp }, callerOf(exchange));
        return SENT;
      },
    ),
  ),
  dashboardRoute(
    { ...post('verify'), body: schema.tokenBody, answer: schema.verifiedView },
    async ({ exchange, body: { token } }, parts) => {
      const wait = await tooMany(parts, exchange, 'link');
      if (wait) return wait;
      const signUp = cookieIn(exchange, signUpCookieOf(exchange));
      const verified = await parts.links.verify({ token, signUp }, callerOf(exchange));
      if (verified instanceof Refusal) return verified;
      await parts.signIns.record(exchange, { by: 'link' }, verified);
      const { status, hasPassword, cookies } = verified;
      return { ...jsonReply(200, { status, ...(!hasPassword && { choose_password: true }) }), cookies };
    },
  ),
  dashboardRoute(
    { ...post('new-password'), body: schema.newPasswordBody, answer: schema.doneView },
    async ({ exchange, body: { token, password } }, parts) =>
      (await tooMany(parts, exchange, 'link')) ??
      (await asGuest(parts, exchange, () =>
        parts.links.choosePassword(token, password, callerOf(exchange)),
      )) ??
      DONE,
  ),
  dashboardRoute(
    { ...post('invitation'), body: schema.tokenBody, answer: schema.invitationPreview },
    async ({ exchange, body: { token } }, parts) => {
      const { memberships, accounts, store } = parts;
      const wait = await tooMany(parts, exchange, 'link');
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
        email,
        role,
        invited_by,
        organization: account.name,
        expires_at: new Date(expires_at).toISOString(),
        has_person: (await store.countPeople('person', known)) > 0,
      };
    },
  ),
  dashboardRoute(
    { ...post('provider'), body: schema.providerBody, answer: schema.providerView },
    async ({ exchange, body: { provider, return_to: returnTo = '/' } }, { providers }) => {
      const left = await providers.leave({ provider, returnTo }, callerOf(exchange));
      if (left instanceof Refusal) return left;
      return { ...jsonReply(200, { url: left.location }), cookies: left.cookies };
    },
  ),
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/auth/callback/{provider}', ...anyone, answer: schema.doneView },
    async ({ exchange, params }, { providers, signIns }) => {
      const provider = params.provider;
      const back = await providers.comeBack(provider, exchange.query, callerOf(exchange));
      if (!back.isRefused || isConfigured(exchange, provider))
        await signIns.record(
          exchange,
          { by: provider },
          back.isRefused ? new Refusal('invalid_request') : back,
        );
      return { status: 302, body: null, headers: { location: back.location }, cookies: back.cookies };
    },
  ),
];

type NewPerson = { email: string; name: string; password: string };

async function signUp(
  parts: DashboardParts,
  exchange: Exchange,
  { person, invitation }: { person: NewPerson; invitation: string | undefined },
): Promise<Reply | Refusal> {
  const { people, links, joining } = parts;
  const caller = callerOf(exchange);
  if (invitation !== undefined) {
    const signed = await people.signUpInvited(invitation, person, caller);
    if (!(signed instanceof Refusal)) await parts.signIns.record(exchange, { by: 'invitation' }, signed);
    return withCookies(parts, exchange, signed);
  }
  if (!joining.isOpen) return byInvitation();
  const id = await links.signUp(person, caller);
  if (id instanceof Refusal) return id;
  const cookie = formatCookie(exchange, { name: signUpCookieOf(exchange), value: id, lastsS: SIGN_UP_S });
  return { ...jsonReply(200, VERIFY), cookies: [cookie] };
}

/** Everybody can call the address with the name of another provider, which must not reach the audit log. */
const isConfigured = ({ snapshot }: Exchange, provider: string): boolean =>
  snapshot.config.dashboard.providers.some((row) => providerIdOf(row) === provider);

const tooMany = (
  { attempts }: Pick<DashboardParts, 'attempts'>,
  exchange: Exchange,
  kind: AttemptKind,
  subject?: string,
): Promise<Refusal | undefined> =>
  attempts.count({ kind, networks: clientNetworks(exchange), ...(subject !== undefined && { subject }) });

/** Hashes of the work wait in the line of the client's network. */
const asGuest = <Result>(
  { hashing }: Pick<DashboardParts, 'hashing'>,
  exchange: Exchange,
  work: () => Promise<Result>,
): Promise<Result> => hashing.as({ network: clientNetworks(exchange).at(-1)! }, work);

/** The cookie names the sign-up that a browser made, so that its password counts once the address is verified. */
const signUpCookieOf = (exchange: Exchange): string => `${cookiePrefix(originOf(exchange).isSecure)}.sign_up`;

/** The device is known from the first complete sign-in on. */
async function withCookies(
  { devices }: Pick<DashboardParts, 'devices'>,
  exchange: Exchange,
  signed: SignedIn | Refusal,
): Promise<Reply | Refusal> {
  if (signed instanceof Refusal) return signed;
  const { status, email, cookies } = signed;
  const device = status === 'signed_in' && email !== '' ? [await devices.cookieFor(exchange, email)] : [];
  return { ...jsonReply(200, { status }), cookies: [...cookies, ...device] };
}

const byInvitation = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Sign-up is by invitation. Ask an operator or an owner for one.',
  });

const invitationGone = (): Refusal =>
  new Refusal('not_found', { message: 'This invitation has expired, or was used or withdrawn.' });
