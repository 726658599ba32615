import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newId } from '../../base/lib/ids.ts';
import { createAuthAdapter } from './auth-adapter.ts';
import { ADDRESS_HEADER, type AuthHooks, type AuthOrigin, cookiePrefix } from './auth-origin.ts';
import type { PeopleStore } from './people-store.ts';

const DAY_S = 86_400;
const HOUR_S = 3_600;

/** The shortest password that is accepted. Long ones are hashed whole. */
export const PASSWORD = { least: 10, most: 256 } as const;

const ids: Readonly<Record<string, string>> = {
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
};

/** Creates the sign-in library for one address of the server. It sends nothing by itself and logs nothing. */
export const createAuth = ({ store, secret, issuer, origin, hooks }: AuthParts) =>
  betterAuth({
    appName: issuer,
    secret,
    baseURL: origin.url,
    basePath: '/dashboard/v1/auth',
    database: createAuthAdapter(store),
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Attempts are counted in the store, by the routes.
    rateLimit: { enabled: false },
    user: {
      modelName: 'person',
      fields: { emailVerified: 'email_verified', ...times },
      changeEmail: { enabled: true },
    },
    session: {
      modelName: 'person_session',
      fields: {
        ...{ userId: 'person_id', expiresAt: 'expires_at', ...times },
        ...{ ipAddress: 'ip_address', userAgent: 'user_agent' },
      },
      expiresIn: 7 * DAY_S,
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
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD.least,
      maxPasswordLength: PASSWORD.most,
      resetPasswordTokenExpiresIn: HOUR_S,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => hooks.deliver({ kind: 'reset', email: user.email, token }),
      onExistingUserSignUp: ({ user }) => hooks.deliver({ kind: 'existing', email: user.email, token: '' }),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: DAY_S,
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ user, token }) =>
        hooks.deliver({ kind: 'verification', email: user.email, token }),
      afterEmailVerification: (user) => hooks.verified(user),
    },
    socialProviders: {},
    plugins: [
      twoFactor({
        issuer,
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'second_factor',
            fields: {
              ...{ userId: 'person_id', backupCodes: 'backup_codes' },
              ...{ failedVerificationCount: 'failed_verification_count', lockedUntil: 'locked_until' },
            },
          },
        },
      }),
    ],
    advanced: {
      // The prefix `__Host-` is stricter than the library's own.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(origin.isSecure),
      defaultCookieAttributes: { secure: origin.isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      // The routes refuse other origins before they call the library.
      disableOriginCheck: true,
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }: { model: string }) => newId(ids[model] ?? 'per_') },
    },
  });

export type Auth = ReturnType<typeof createAuth>;
