import { expect, test } from 'bun:test';
import { google, microsoft } from 'better-auth/social-providers';
import type { SignInProviderRow } from '../../settings/config/dashboard-schema.ts';
import { knownProviders } from './auth-providers.ts';

const rows = (['google', 'microsoft'] as const).map(
  (kind): SignInProviderRow => ({
    id: null,
    kind,
    name: null,
    client_id: 'a',
    client_secret: 'b',
    issuer: null,
    tenant: null,
  }),
);

test('answers of Google and Microsoft without an ID token sign nobody in', async () => {
  const known = knownProviders(rows);
  const tokens = { accessToken: 'of another client' };
  expect(await google(known.google as Parameters<typeof google>[0]).getUserInfo(tokens)).toBeNull();
  expect(await microsoft(known.microsoft as Parameters<typeof microsoft>[0]).getUserInfo(tokens)).toBeNull();
});
