import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { ProviderRow } from '../../settings/config/config-schema.ts';
import { hosts } from '../../settings/hosts/hosts.ts';
import type { CredentialFactory } from '../../settings/hosts/provider-credential.ts';
import { providerOfRow } from '../../settings/hosts/provider-of-row.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { withHostDefaults } from '../../settings/hosts/read-stored-provider.ts';
import { SIMULATOR_ID } from '../../settings/hosts/simulator-provider.ts';
import { checkProvider } from '../../settings/stored/check-rows.ts';
import {
  divideFields,
  openSecrets,
  sealSecrets,
  secretFields,
} from '../../settings/stored/provider-secrets.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { auditOfProvider } from './audit-of-provider.ts';
import type { KeyRing } from './key-ring.ts';
import { lostModels } from './lost-models.ts';
import { mergeFields } from './merge-fields.ts';
import { ownerOf } from './owner-of.ts';
import { changedMeanwhile, invalidField, unknownProvider } from './setting-refusals.ts';
import type { SettingChange, SettingsBook } from './settings-book.ts';

export type ProviderSettingsParts = {
  book: SettingsBook;
  ring: KeyRing;
  environment: Environment;
  configFile: string | null;
  credentialOf: CredentialFactory;
  now(): number;
};

/** Providers that operators make, change and remove. */
export class ProviderSettings {
  readonly #parts: ProviderSettingsParts;

  constructor(parts: ProviderSettingsParts) {
    this.#parts = parts;
  }

  create(fields: Fields & { id: string }, actor: string): Promise<Provider | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { id } = fields;
      const taken = this.#refuseNew(id);
      if (taken) return taken;
      const row = this.#checkNew(fields);
      if (row instanceof Refusal) return row;
      const next = this.#rowOf(fields, { hasNewSecret: true });
      if (next instanceof Refusal) return next;
      const audit = {
        action: 'provider-create' as const,
        target: id,
        before: null,
        after: auditOfProvider(fields),
        actor,
      };
      return this.#apply(id, { before: undefined, next, audit });
    });
  }

  change(id: string, fields: Fields & { revision?: number }, actor: string): Promise<Provider | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { revision, ...changes } = fields;
      const before = await this.#find(id);
      if (before instanceof Refusal) return before;
      if (revision !== undefined && revision !== before.revision) return changedMeanwhile();
      const former = this.#fieldsOf(before);
      const merged = mergeFields(former, changes);
      const row = this.#checkRow(merged);
      if (row instanceof Refusal) return row;
      const hasNewSecret = secretFields.some((name) => name in changes);
      const next = this.#rowOf(merged, { before, hasNewSecret });
      if (next instanceof Refusal) return next;
      const audit = {
        action: 'provider-change' as const,
        target: id,
        actor,
        before: auditOfProvider(former),
        after: { ...auditOfProvider(merged), ...(hasNewSecret && { credential_changed: true }) },
      };
      return this.#apply(id, { before, next, audit });
    });
  }

  /** Removes a provider. Returns the ids of the models that lose their last route. */
  remove(id: string, actor: string): Promise<string[] | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const before = await this.#find(id);
      if (before instanceof Refusal) return before;
      const former = this.#parts.book.current;
      const old = auditOfProvider(this.#fieldsOf(before));
      const audit = { action: 'provider-delete' as const, target: id, before: old, after: null, actor };
      const applied = await this.#parts.book.apply({ before, next: null, audit });
      return applied instanceof Refusal ? applied : lostModels(id, former, applied.next);
    });
  }

  /** Makes a provider of fields that are not stored, for a test call. */
  draft(fields: Fields & { id: string }): Provider | Refusal {
    const row = this.#checkNew(fields);
    if (row instanceof Refusal) return row;
    const { environment, credentialOf } = this.#parts;
    // Its credential must not take the place of one that serves.
    const ofDraft: CredentialFactory = (providerId, plan) => credentialOf(`${providerId} (test)`, plan);
    return providerOfRow(row, { environment, credentialOf: ofDraft });
  }

  /** Refuses the id of a provider that a file, a variable or a stored row has already. */
  #refuseNew(id: string): Refusal | undefined {
    const { current } = this.#parts.book;
    const currentProvider = current.providers.get(id);
    const isTaken =
      currentProvider && currentProvider.source !== 'built-in' && currentProvider.source !== 'found';
    if (!isTaken && id !== SIMULATOR_ID) return undefined;
    const owner = currentProvider ? ownerOf(currentProvider, this.#parts) : 'the built-in simulator';
    return new Refusal('conflict', {
      message: `The provider '${id}' exists already: it is ${owner}.`,
      param: 'id',
    });
  }

  /** Returns the row of a provider that is not stored yet. */
  #checkNew(fields: Fields): ProviderRow | Refusal {
    const row = this.#checkRow(fields);
    return row instanceof Refusal ? row : (refuseBare(fields) ?? row);
  }

  /** Returns the row that the fields make, with the defaults of its host. */
  #checkRow(fields: Fields): ProviderRow | Refusal {
    const checked = checkProvider(withHostDefaults(fields, this.#parts.environment));
    return 'problem' in checked ? invalidField(checked.problem) : checked.row;
  }

  /** Returns the stored row. A row of a file or a variable is not changed here. */
  async #find(id: string): Promise<StoredSetting | Refusal> {
    const setting = await this.#parts.book.find('provider', id);
    const currentProvider = this.#parts.book.current.providers.get(id);
    const isFixed = currentProvider?.source === 'file' || currentProvider?.source === 'environment';
    if (setting && !isFixed) return setting;
    if (!currentProvider) return unknownProvider(id, this.#parts.book.current);
    const message = `The provider '${id}' is ${ownerOf(currentProvider, this.#parts)}, so it is not changed here.`;
    return new Refusal('conflict', { message });
  }

  /**
   * Returns the fields of a row with its secrets.
   * Secrets that cannot be read are left out, so that new ones can replace them.
   */
  #fieldsOf(setting: StoredSetting): Fields {
    const opened = openSecrets(this.#parts.ring.keys, setting);
    const secrets = opened.kind === 'opened' ? opened.secrets : {};
    return { ...(JSON.parse(setting.settings) as Fields), ...secrets };
  }

  /** Returns the row to store. Without a new secret, it keeps the time at which the secret was set. */
  #rowOf(
    fields: Fields,
    { before, hasNewSecret }: { before?: StoredSetting; hasNewSecret: boolean },
  ): StoredSetting | Refusal {
    const { ring, now } = this.#parts;
    const { settings, secrets } = divideFields(fields);
    const row = {
      kind: 'provider' as const,
      id: fields.id as string,
      revision: before?.revision ?? 1,
      settings: JSON.stringify(settings),
      changedAt: now(),
    };
    const isLost = before !== undefined && openSecrets(ring.keys, before).kind !== 'opened';
    if (isLost && !hasNewSecret) {
      const message = 'The stored credential cannot be read, so the change must bring another one.';
      return new Refusal('conflict', { message, param: 'api_key' });
    }
    if (Object.keys(secrets).length === 0) return { ...row, secrets: null, secretsSetAt: null };
    if (ring.missing !== null) return new Refusal('conflict', { message: ring.missing });
    const secretsSetAt = hasNewSecret ? now() : (before?.secretsSetAt ?? now());
    return { ...row, secrets: sealSecrets(ring.keys, row, secrets), secretsSetAt };
  }

  /** Applies a change, and returns the provider that is served then. */
  async #apply(id: string, change: SettingChange): Promise<Provider | Refusal> {
    const applied = await this.#parts.book.apply(change);
    return applied instanceof Refusal ? applied : this.#parts.book.current.providers.get(id)!;
  }
}

/** A built-in host without an address of its own needs a credential. */
function refuseBare(fields: Fields): Refusal | undefined {
  const host = hosts.find(({ id }) => id === fields.id);
  if (!host || fields.base_url || Object.keys(divideFields(fields).secrets).length > 0) return undefined;
  return new Refusal('invalid_request', { message: `api_key is required for ${host.id}.`, param: 'api_key' });
}
