import type { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import type { LinkedSignIn } from '../../customers/people/profile-service.ts';
import { signInNameOf } from '../../customers/people/sign-in-providers.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Method } from '../../edge/http/route.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import * as schema from './profile-schema.ts';
import { doneView, providerBody, providerView, sentView } from './session-schema.ts';

const DONE = { status: 'done' } as const;
const SENT = { status: 'sent' } as const;
/** Returns the shape of a route for the signed-in person. */
const me = <const M extends Method, const Path extends string>(method: M, path: Path) =>
  ({ method, path: `/dashboard/v1/me${path}`, access: 'person' }) as const;

/** Changes that somebody with the session alone could otherwise make. */
const RECENT = { recentSignIn: 'always' } as const;
/** Changes that ask for the password. */
const CONFIRMED = { recentSignIn: 'with-two-factor' } as const;

/** The routes by which people see and change their own sign-in. */
export const profileRoutes = [
  dashboardRoute(
    { ...me('GET', ''), answer: schema.profileView },
    async ({ exchange, visitor }, { profiles }) => {
      const { person, signIns } = await profiles.profile(visitor);
      const { id, email, name, two_factor_enabled } = person;
      return {
        id,
        email,
        name,
        two_factor: two_factor_enabled,
        has_password: signIns.some(({ provider }) => provider === 'credential'),
        sign_ins: signIns.map((signIn) => signInView(signIn, exchange)),
      };
    },
  ),
  dashboardRoute(
    { ...me('PATCH', ''), body: schema.profileChange, answer: doneView },
    async ({ visitor, body: { name } }, { profiles }) => {
      await profiles.rename(visitor, name.trim());
      return DONE;
    },
  ),
  dashboardRoute(
    { ...me('POST', '/email'), ...CONFIRMED, body: schema.emailChange, answer: sentView },
    async (call, parts) => {
      const { visitor, body, exchange } = call;
      const change = () => parts.profiles.changeEmail(visitor, body, callerOf(exchange));
      return (await withGuessLimit(parts, call, change)) ?? SENT;
    },
  ),
  dashboardRoute(
    { ...me('POST', '/password'), ...CONFIRMED, body: schema.passwordChange, answer: doneView },
    (call, parts) => {
      const { visitor, body, exchange } = call;
      const change = () => parts.profiles.changePassword(visitor, body, callerOf(exchange));
      return doneReply(withGuessLimit(parts, call, change));
    },
  ),
  dashboardRoute(
    { ...me('GET', '/sessions'), answer: schema.sessionsView },
    async ({ visitor }, { profiles }) => {
      const sessions = await profiles.sessions(visitor);
      return {
        data: sessions.map(({ id, createdAt, expiresAt, address, browser }) => ({
          id,
          address,
          browser,
          is_this: id === visitor.sessionId,
          created_at: isoTime(createdAt),
          expires_at: isoTime(expiresAt),
        })),
      };
    },
  ),
  dashboardRoute(
    { ...me('DELETE', '/sessions'), ...RECENT, answer: doneView },
    async ({ visitor }, { profiles }) => (await profiles.endSessions(visitor)) ?? DONE,
  ),
  dashboardRoute(
    { ...me('DELETE', '/sessions/{id}'), ...RECENT, answer: doneView },
    async ({ params, visitor }, { profiles }) => (await profiles.endSessions(visitor, params.id)) ?? DONE,
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor'), ...CONFIRMED, body: schema.passwordBody, answer: schema.twoFactorDraft },
    (call, parts) => {
      const begin = () => parts.twoFactor.begin(call.body, callerOf(call.exchange));
      return unlessRefused(withGuessLimit(parts, call, begin), ({ uri, recoveryCodes }) => ({
        uri,
        recovery_codes: recoveryCodes,
      }));
    },
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/confirm'), body: schema.codeBody, answer: doneView },
    (call, parts) => {
      const { visitor, body, exchange } = call;
      const confirm = () => parts.twoFactor.confirm(visitor, body.code, callerOf(exchange));
      return doneReply(withGuessLimit(parts, call, confirm));
    },
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/disable'), ...CONFIRMED, body: schema.passwordBody, answer: doneView },
    (call, parts) => {
      const { visitor, body, exchange } = call;
      const end = () => parts.twoFactor.end(visitor, body.password, callerOf(exchange));
      return doneReply(withGuessLimit(parts, call, end));
    },
  ),
  dashboardRoute(
    {
      ...me('POST', '/recovery-codes'),
      ...CONFIRMED,
      body: schema.passwordBody,
      answer: schema.recoveryCodesView,
    },
    (call, parts) => {
      const { visitor, body, exchange } = call;
      const renew = () => parts.twoFactor.renewRecoveryCodes(visitor, body.password, callerOf(exchange));
      return unlessRefused(withGuessLimit(parts, call, renew), (recovery_codes) => ({ recovery_codes }));
    },
  ),
  dashboardRoute(
    { ...me('POST', '/sign-ins'), ...RECENT, body: providerBody, answer: providerView },
    ({ exchange, body: { provider, return_to: returnTo = '/account' } }, { providers }) =>
      unlessRefused(
        providers.leaveToLink({ provider, returnTo }, callerOf(exchange)),
        ({ location, cookies }) => ({ ...jsonReply(200, { url: location }), cookies }),
      ),
  ),
  dashboardRoute(
    { ...me('DELETE', '/sign-ins/{id}'), ...RECENT, answer: doneView },
    async ({ params, visitor }, { profiles }) => (await profiles.unlink(visitor, params.id)) ?? DONE,
  ),
];

/**
 * Runs work that checks a password or a code, and bounds the guesses with a stolen session.
 * Hashes wait in the line of the client's network.
 */
async function withGuessLimit<Result>(
  parts: Pick<DashboardParts, 'attempts' | 'hashing'>,
  { exchange, visitor }: Pick<DashboardCall, 'exchange' | 'visitor'>,
  work: () => Promise<Result>,
): Promise<Result | Refusal> {
  const networks = clientNetworks(exchange);
  const wait = await parts.attempts.count({ kind: 'password', networks, subject: visitor.userId });
  return wait ?? hashAsGuest(parts, exchange, work, visitor.sessionId);
}

/** Answers a change that sets the cookies of the session again. */
const doneReply = (changed: Promise<{ cookies: string[] } | Refusal>): Promise<Reply | Refusal> =>
  unlessRefused(changed, ({ cookies }) => ({ ...jsonReply(200, DONE), cookies }));

function signInView({ id, provider, createdAt }: LinkedSignIn, { snapshot }: Exchange) {
  const name = signInNameOf(provider, snapshot.config.dashboard.providers);
  return { id, provider, name, created_at: isoTime(createdAt) };
}
