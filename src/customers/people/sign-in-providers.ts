import type { SignInProviderRow } from '../../settings/config/dashboard-schema.ts';

const kinds: Readonly<Record<SignInProviderRow['kind'], string>> = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  oidc: 'Single sign-on',
};

/** Returns the id of a provider in addresses and in the store. */
export const providerIdOf = ({ id, kind }: Pick<SignInProviderRow, 'id' | 'kind'>): string => id ?? kind;

/** Returns the text of a provider's button. */
export const providerNameOf = ({ kind, name }: Pick<SignInProviderRow, 'kind' | 'name'>): string =>
  name ?? kinds[kind];

/** Returns the name that people know a way to sign in by. `credential` is the password. */
export function signInNameOf(provider: string, rows: readonly SignInProviderRow[]): string {
  if (provider === 'credential') return 'Password';
  const row = rows.find((known) => providerIdOf(known) === provider);
  return row ? providerNameOf(row) : provider;
}
