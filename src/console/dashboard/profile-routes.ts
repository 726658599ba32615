import type { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import type { LinkedSignIn } from '../../customers/people/profile-service.ts';
import { signInNameOf } from '../../customers/people/sign-in-providers.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';
import * as schema from './profile-schema.ts';
import { doneView, providerBody, providerView, sentView } from './session-schema.ts';

const DONE = { status: 'done' } as const;
const SENT = { status: 'sent' } as const;
const person = { access: 'person' } as const;

/** The routes by which people see and change their own sign-in. */
export const profileRoutes = [
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/me', ...person, answer: schema.profileView },
    async ({ exchange, visitor }, parts) => {
      const { person: own, signIns } = await parts.profiles.profile(visitor);
      const { id, email, name, two_factor_enabled } = own;
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
    { method: 'PATCH', path: '/dashboard/v1/me', ...person, body: schema.profileChange, answer: doneView },
    async ({ visitor, body: { name } }, parts) => {
      await parts.profiles.rename(visitor, name.trim());
      return DONE;
    },
  ),
  dashboardRoute(
    { method: 'POST', path: '/dashboard/v1/me/email', ...person, body: schema.emailChange, answer: sentView },
    async ({ exchange, visitor, body }, parts) =>
      (await checked(parts, { exchange, visitor }, () =>
        parts.profiles.changeEmail(visitor, body, callerOf(exchange)),
      )) ?? SENT,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/password',
      ...person,
      body: schema.passwordChange,
      answer: doneView,
    },
    ({ exchange, visitor, body }, parts) =>
      doneReply(
        checked(parts, { exchange, visitor }, () =>
          parts.profiles.changePassword(visitor, body, callerOf(exchange)),
        ),
      ),
  ),
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/me/sessions', ...person, answer: schema.sessionsView },
    async ({ visitor }, { profiles }) => {
      const sessions = await profiles.sessions(visitor);
      return {
        data: sessions.map(({ id, createdAt, expiresAt, address, browser }) => ({
          id,
          address,
          browser,
          is_this: id === visitor.sessionId,
          created_at: time(createdAt),
          expires_at: time(expiresAt),
        })),
      };
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: '/dashboard/v1/me/sessions', ...person, answer: doneView },
    async ({ visitor }, { profiles }) => (await profiles.endSessions(visitor)) ?? DONE,
  ),
  dashboardRoute(
    { method: 'DELETE', path: '/dashboard/v1/me/sessions/{id}', ...person, answer: doneView },
    async ({ params, visitor }, { profiles }) => (await profiles.endSessions(visitor, params.id)) ?? DONE,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/two-factor',
      ...person,
      body: schema.passwordBody,
      answer: schema.twoFactorDraft,
    },
    ({ exchange, visitor, body }, parts) => {
      const draft = checked(parts, { exchange, visitor }, () =>
        parts.twoFactor.begin(body, callerOf(exchange)),
      );
      return unlessRefused(draft, ({ uri, recoveryCodes }) => ({ uri, recovery_codes: recoveryCodes }));
    },
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/two-factor/confirm',
      ...person,
      body: schema.codeBody,
      answer: doneView,
    },
    ({ exchange, visitor, body: { code } }, parts) =>
      doneReply(
        checked(parts, { exchange, visitor }, () =>
          parts.twoFactor.confirm(visitor, code, callerOf(exchange)),
        ),
      ),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/two-factor/disable',
      ...person,
      body: schema.passwordBody,
      answer: doneView,
    },
    ({ exchange, visitor, body: { password } }, parts) =>
      doneReply(
        checked(parts, { exchange, visitor }, () =>
          parts.twoFactor.end(visitor, password, callerOf(exchange)),
        ),
      ),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/recovery-codes',
      ...person,
      body: schema.passwordBody,
      answer: schema.recoveryCodesView,
    },
    ({ exchange, visitor, body: { password } }, parts) => {
      const codes = checked(parts, { exchange, visitor }, () =>
        parts.twoFactor.renewRecoveryCodes(visitor, password, callerOf(exchange)),
      );
      return unlessRefused(codes, (recovery_codes) => ({ recovery_codes }));
    },
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/sign-ins',
      ...person,
      body: providerBody,
      answer: providerView,
    },
    ({ exchange, body: { provider, return_to: returnTo = '/account' } }, { providers }) =>
      unlessRefused(
        providers.leaveToLink({ provider, returnTo }, callerOf(exchange)),
        ({ location, cookies }) => ({ ...jsonReply(200, { url: location }), cookies }),
      ),
  ),
  dashboardRoute(
    { method: 'DELETE', path: '/dashboard/v1/me/sign-ins/{id}', ...person, answer: doneView },
    async ({ params, visitor }, { profiles }) => (await profiles.unlink(visitor, params.id)) ?? DONE,
  ),
];

/**
 * Bounds the guesses of a password or code with a stolen session.
 * Hashes wait in the line of the client's network.
 */
async function checked<Result>(
  { attempts, hashing }: Pick<DashboardParts, 'attempts' | 'hashing'>,
  { exchange, visitor }: { exchange: Exchange; visitor: Visitor },
  work: () => Promise<Result>,
): Promise<Result | Refusal> {
  const networks = clientNetworks(exchange);
  const wait = await attempts.count({ kind: 'password', networks, subject: visitor.userId });
  return wait ?? hashing.as({ network: networks.at(-1)!, device: visitor.sessionId }, work);
}

const doneReply = (changed: Promise<{ cookies: string[] } | Refusal>): Promise<Reply | Refusal> =>
  unlessRefused(changed, ({ cookies }) => ({ ...jsonReply(200, DONE), cookies }));

function signInView({ id, provider, createdAt }: LinkedSignIn, { snapshot }: Exchange) {
  const name = signInNameOf(provider, snapshot.config.dashboard.providers);
  return { id, provider, name, created_at: time(createdAt) };
}

const time = (ms: number): string => new Date(ms).toISOString();
