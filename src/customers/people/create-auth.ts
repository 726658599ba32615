import { logger } from '@better-auth/core/env';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newId } from '../../base/lib/ids.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { SignInProviderRow } from '../../settings/config/dashboard-schema.ts';
import { ADDRESS_HEADER } from './auth-caller.ts';
import { cookiePrefix, SESSION_S } from './auth-cookies.ts';
import type { AuthHooks } from './auth-hooks.ts';
import { issuerPlugin, knownProviders } from './auth-providers.ts';
import { type AuthSight, createAuthAdapter } from './create-auth-adapter.ts';
import type { HashingQueue } from './hashing-queue.ts';
import { onceOnlyCodes } from './once-only-codes.ts';
import type { AuthOrigin } from './origin-of.ts';
import type { PeopleStore } from './people-store.ts';

const DAY_S = 86_400;

/** The lengths of accepted passwords in characters. A long one is hashed whole. */
const PASSWORD_LENGTH = { min: 10, max: 256 };

/** The prefixes of ids, by the models of the library. */
const idPrefixes: Readonly<Record<string, string>> = {
  user: 'usr_',
  session: 'ses_',
  account: 'sin_',
  verification: 'tok_',
  twoFactor: 'fac_',
};

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export type AuthParts = {
  store: PeopleStore;
  secret: string;
  /** The name that authenticator apps show. */
  issuer: string;
  origin: AuthOrigin;
  hooks: AuthHooks;
  hashing: HashingQueue;
  providers: readonly SignInProviderRow[];
  sight: AuthSight;
  now(): number;
};

/** The tables of the library, with the names of their columns. */
const tables = {
  session: {
    modelName: 'person_session',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ...times,
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
    expiresIn: SESSION_S,
    updateAge: DAY_S,
    freshAge: 0,
  },
  account: {
    modelName: 'sign_in',
    fields: { userId: 'person_id', providerId: 'provider', accountId: 'subject', ...times },
    updateAccountOnSignIn: false,
    accountLinking: { enabled: true, requireLocalEmailVerified: true },
  },
  verification: {
    modelName: 'sign_in_token',
    fields: { expiresAt: 'expires_at', ...times },
    storeIdentifier: 'hashed',
  },
} as const;

/** The columns of the plugin for second factors. */
const secondFactor = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'second_factor',
    fields: {
      userId: 'person_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/** Creates the sign-in library for one address of the server. It sends nothing by itself and logs nothing. */
export function createAuth({
  store,
  secret,
  issuer,
  origin,
  hooks,
  hashing,
  providers,
  sight,
  now,
}: AuthParts) {
  silenceLibrary();
  const codes = onceOnlyCodes(store, now);
  return betterAuth({
    // The library ignores its own path option if the address has a path.
    appName: issuer,
    secret,
    baseURL: `${origin.url}/dashboard/v1/auth`,
    database: createAuthAdapter(store, sight),
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Attempts are counted in the store, by the routes.
    rateLimit: { enabled: false },
    user: userOptions(hooks),
    ...tables,
    ...passwordOptions(hashing),
    ...linkOptions(hooks),
    hooks: { before: codes.beforeCode },
    socialProviders: knownProviders(providers),
    onAPIError: { errorURL: `${origin.url}/sign-in` },
    databaseHooks: {
      session: { create: { before: codes.beforeSession } },
      user: { create: { after: async (user) => (user.emailVerified ? hooks.onVerified(user) : undefined) } },
      account: {
        create: { after: ({ userId, providerId }) => hooks.onLinked({ userId, provider: providerId }) },
      },
    },
    plugins: [issuerPlugin(providers), twoFactor({ issuer, schema: secondFactor })],
    advanced: {
      // The prefix `__Host-` is stricter than the library's own.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(origin.isSecure),
      defaultCookieAttributes: { secure: origin.isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      // The routes refuse other origins before they call the library.
      disableOriginCheck: true,
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }: { model: string }) => newId(lookUp(idPrefixes, model) ?? 'per_') },
    },
  });
}

const userOptions = (hooks: AuthHooks) =>
  ({
    modelName: 'person',
    fields: { emailVerified: 'email_verified', ...times },
    changeEmail: { enabled: true },
    async validateUserInfo({ user, source }) {
      const person = { email: String(user.email ?? ''), isVerified: user.emailVerified === true };
      if (source.method !== 'oauth' || source.action !== 'create-user' || (await hooks.mayJoin(person)))
        return;
      return { error: person.isVerified ? 'by_invitation' : 'not_verified' };
    },
  }) satisfies BetterAuthOptions['user'];

/** The library checks and changes passwords. Sign-ups and resets are our own. */
const passwordOptions = (hashing: HashingQueue) =>
  ({
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: {
        hash: (password) => hashing.run(() => hashPassword(password)),
        verify: (attempt) => hashing.run(() => verifyPassword(attempt)),
      },
    },
  }) satisfies Pick<BetterAuthOptions, 'emailAndPassword'>;

const linkOptions = (hooks: AuthHooks) =>
  ({
    emailVerification: {
      expiresIn: DAY_S,
      autoSignInAfterVerification: true,
      // Sign-ups send their links themselves, so only a change of the address comes here.
      sendVerificationEmail: ({ user: { id: personId, email }, token }) =>
        hooks.onNewEmail({ personId, email, token }),
      afterEmailVerification: (user) => hooks.onVerified(user),
    },
  }) satisfies Pick<BetterAuthOptions, 'emailVerification'>;

/** Silences the logger that some providers of the library write errors to. */
function silenceLibrary(): void {
  for (const level of ['debug', 'info', 'success', 'warn', 'error'] as const) logger[level] = () => {};
}

export type Auth = ReturnType<typeof createAuth>;
