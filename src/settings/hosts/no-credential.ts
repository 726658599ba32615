import { type CredentialFactory, CredentialFailure } from './provider-credential.ts';

/** Creates credentials without a secret, for checks of a configuration. A check calls no provider. */
export const noCredential: CredentialFactory = (_, { kind }) => ({
  current: () => Promise.reject(new CredentialFailure(kind, 'no credentials are read here')),
  renew: async () => undefined,
  renewedInVain: () => {},
  refreshIfDue: () => {},
  reload: () => {},
  state: () => ({ kind, source: null, expiresAt: null, refreshedAt: null, error: null }),
  secrets: () => [],
});
