import { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import type { SignedIn } from '../../customers/people/people-service.ts';
import { signUpCookie } from '../../customers/people/sign-up-cookie.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import { hasTokenField, viewSession } from './session-answer.ts';
import * as schema from './session-schema.ts';

const SESSION = '/dashboard/v1/session';
const VERIFY = { status: 'verify' } as const;
const DONE = { status: 'done' } as const;
const post = (path: string) => ({ method: 'POST', path: `${SESSION}/${path}`, access: 'anyone' }) as const;

/** The routes that sign in, up and out, and that show the session. */
export const sessionRoutes = [
  dashboardRoute(
    { method: 'GET', path: SESSION, access: 'anyone', answer: schema.sessionView },
    ({ exchange, visitor }, parts) => viewSession(parts, exchange, visitor),
  ),
  dashboardRoute(
    { ...post('sign-in'), body: schema.signInBody, answer: schema.signedInView },
    async ({ exchange, body }, parts) => {
      const { attempts, devices, people, signIns } = parts;
      const device = await devices.find(exchange, body.email);
      const networks = clientNetworks(exchange);
      // A known device has a share of its own.
      const wait = await attempts.count({ kind: 'sign-in', networks, subject: body.email, device });
      if (wait) return wait;
      const signIn = () => people.signIn(body, callerOf(exchange));
      const signed = await hashAsGuest(parts, exchange, signIn, device);
      await signIns.record(exchange, { by: 'password', email: body.email }, signed);
      return signedInReply(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    {
      ...post('two-factor'),
      attempts: 'two-factor',
      body: schema.twoFactorBody,
      answer: schema.signedInView,
    },
    async ({ exchange, body }, parts) => {
      const signed = await parts.people.enterCode(body, callerOf(exchange));
      await parts.signIns.recordSecondStep(exchange, signed);
      return signedInReply(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    { ...post('admin-token'), body: schema.adminTokenBody, answer: schema.signedInView },
    async ({ exchange, body: { token, ...person } }, parts) => {
      if (!hasTokenField(exchange)) return new Refusal('not_found');
      const { email } = person;
      const networks = clientNetworks(exchange);
      const wait = await parts.attempts.count({ kind: 'admin-token', networks, subject: email });
      if (wait) return wait;
      const signed = await unlessRefused(parts.holderOf(token, exchange), (holder) =>
        hashAsGuest(parts, exchange, () => parts.people.signInWithToken(holder, person, callerOf(exchange))),
      );
      await parts.signIns.record(exchange, { by: 'admin-token', email }, signed);
      return signedInReply(parts, exchange, signed);
    },
  ),
  dashboardRoute(
    { ...post('sign-up'), attempts: 'sign-up', body: schema.signUpBody, answer: schema.signedUpView },
    ({ exchange, body: { invitation, ...person } }, parts) =>
      hashAsGuest(parts, exchange, () =>
        invitation === undefined
          ? signUp(parts, exchange, person)
          : signUpInvited(parts, exchange, { invitation, person }),
      ),
  ),
  dashboardRoute(
    { ...post('sign-out'), answer: schema.doneView },
    async ({ exchange, visitor }, { people, signIns }) =>
      unlessRefused(people.signOut(callerOf(exchange)), async (cookies) => {
        if (visitor) await signIns.recordSignOut(exchange, visitor);
        return { ...jsonReply(200, DONE), cookies };
      }),
  ),
];

type NewPerson = { email: string; name: string; password: string };

async function signUpInvited(
  parts: DashboardParts,
  exchange: Exchange,
  { invitation, person }: { invitation: string; person: NewPerson },
): Promise<Reply | Refusal> {
  const signed = await parts.people.signUpInvited(invitation, person, callerOf(exchange));
  if (!(signed instanceof Refusal)) await parts.signIns.record(exchange, { by: 'invitation' }, signed);
  return signedInReply(parts, exchange, signed);
}

async function signUp(
  { links, joining }: DashboardParts,
  exchange: Exchange,
  person: NewPerson,
): Promise<Reply | Refusal> {
  if (!joining.isOpen) return byInvitation();
  return unlessRefused(links.signUp(person, callerOf(exchange)), (id) => ({
    ...jsonReply(200, VERIFY),
    cookies: [signUpCookie(exchange, id)],
  }));
}

/** Sets the cookies of a session. The device is known from the first complete sign-in on. */
const signedInReply = (
  { devices }: Pick<DashboardParts, 'devices'>,
  exchange: Exchange,
  signed: SignedIn | Refusal,
): Promise<Reply | Refusal> =>
  unlessRefused(signed, async ({ status, email, cookies }) => {
    const isComplete = status === 'signed_in' && email !== '';
    const device = isComplete ? [await devices.cookieFor(exchange, email)] : [];
    return { ...jsonReply(200, { status }), cookies: [...cookies, ...device] };
  });

const byInvitation = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Sign-up is by invitation. Ask an operator or an owner for one.',
  });
