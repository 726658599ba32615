import { ModelSettings } from '../../console/settings/model-settings.ts';
import { ProviderSettings } from '../../console/settings/provider-settings.ts';
import { SecretRotation } from '../../console/settings/secret-rotation.ts';
import type { StoredSettings } from '../../console/settings/stored-settings.ts';
import { yesterdaysCost } from '../../console/settings/yesterdays-cost.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Foundation } from './create-foundation.ts';

/** Connects what operators set by form and API. */
export function assembleSettings(
  { settings: { book, ring }, ground, storage, clock, credentials }: Foundation,
  accounts: Accounts,
): StoredSettings {
  const { environment, file: configFile } = ground.origin;
  const now = () => clock.now();
  return {
    providers: new ProviderSettings({
      book,
      ring,
      environment,
      configFile,
      now,
      credentialOf: credentials.of,
    }),
    models: new ModelSettings({
      book,
      configFile,
      now,
      yesterday: (question) => yesterdaysCost(question, storage.traffic),
    }),
    secrets: new SecretRotation({ book, ring, store: storage.settings, accounts }),
  };
}
