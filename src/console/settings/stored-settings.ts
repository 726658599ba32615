import type { ModelSettings } from './model-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { SecretRotation } from './secret-rotation.ts';

/** The settings that operators make by form and API. */
export type StoredSettings = {
  providers: Pick<ProviderSettings, 'create' | 'change' | 'remove' | 'draft'>;
  models: Pick<ModelSettings, 'create' | 'change' | 'remove'>;
  secrets: Pick<SecretRotation, 'rotate'>;
};
