import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { SocialProviders } from 'better-auth/social-providers';
import type { SignInProviderRow } from '../../settings/config/dashboard-schema.ts';
import { providerIdOf, providerNameOf } from './sign-in-providers.ts';

const isIssuer = (row: SignInProviderRow): row is SignInProviderRow & { issuer: string } =>
  row.issuer !== null;

/** Returns the providers that the library knows. */
export function knownProviders(rows: readonly SignInProviderRow[]): SocialProviders {
  const entries = rows
    .filter(({ kind }) => kind !== 'oidc')
    .map(({ kind, client_id, client_secret, tenant }) => [
      kind,
      {
        clientId: client_id,
        clientSecret: client_secret,
        ...(kind === 'microsoft' && { tenantId: tenant ?? 'common' }),
        ...(kind !== 'github' && { prompt: 'select_account' }),
      },
    ]);
  return Object.fromEntries(entries);
}

/** Adds other issuers, by their discovery documents. Their ID tokens must be signed by their keys. */
export const issuerPlugin = (rows: readonly SignInProviderRow[]) =>
  genericOAuth({
    config: rows.filter(isIssuer).map((row) => ({
      providerId: providerIdOf(row),
      name: providerNameOf(row),
      clientId: row.client_id,
      clientSecret: row.client_secret,
      discoveryUrl: `${withoutSlash(row.issuer)}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      accountSubject: subjectAt(row.issuer),
      scopes: ['openid', 'profile', 'email'],
      pkce: true,
      disableProviderLogout: true,
    })),
  });

type AtProvider = { tokens: { idToken?: string | undefined }; profile: Record<string, unknown> };

/**
 * The library verifies an ID token if there is one. Without it, only the access token would say who the
 * person is, and access tokens of other clients would sign people in. The library itself refuses such answers
 * of Google and Microsoft. It takes the issuer from the discovery document, so the token's issuer is compared
 * with the configured one here.
 */
const subjectAt =
  (issuer: string) =>
  ({ tokens, profile }: AtProvider): string => {
    if (!tokens.idToken) throw new Error('the answer has no id_token');
    if (withoutSlash(issuerOf(tokens.idToken)) !== withoutSlash(issuer))
      throw new Error('the id_token is of another issuer');
    return String(profile.sub ?? '');
  };

/** Returns the issuer that a verified token names. */
function issuerOf(idToken: string): string {
  const claims = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  return String(JSON.parse(claims).iss);
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
