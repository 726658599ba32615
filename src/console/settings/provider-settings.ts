import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { ProviderRow } from '../../settings/config/config-schema.ts';
import type { CredentialFactory } from '../../settings/hosts/provider-credential.ts';
import { providerOfRow } from '../../settings/hosts/provider-of-row.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { SIMULATOR_ID } from '../../settings/hosts/simulator-provider.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { auditOfProvider } from './audit-of-provider.ts';
import { checkNewProviderRow, checkProviderRow } from './check-provider-row.ts';
import type { KeyRing } from './key-ring.ts';
import { lostModels } from './lost-models.ts';
import { mergeFields } from './merge-fields.ts';
import { ownerOf } from './owner-of.ts';
import { hasSecret, openProviderRow, sealProviderRow } from './provider-row.ts';
import { refuseMachineCredential } from './refuse-machine-credential.ts';
import { type ChangedFields, isNewServer, refuseNewServer } from './refuse-new-server.ts';
import { changedMeanwhile, unknownProvider } from './setting-refusals.ts';
import type { SettingChange, SettingsBook } from './settings-book.ts';

export type ProviderSettingsParts = {
  book: SettingsBook;
  ring: KeyRing;
  environment: Environment;
  configFile: string | null;
  credentialOf: CredentialFactory;
  now(): number;
};

/** Owners can send credentials anywhere, since they can write the configuration file. */
type ChangedBy = { actor: string; isOwner: boolean };

/** Providers that operators make, change and remove. */
export class ProviderSettings {
  readonly #parts: ProviderSettingsParts;

  constructor(parts: ProviderSettingsParts) {
    this.#parts = parts;
  }

  create(fields: Fields & { id: string }, { actor, isOwner }: ChangedBy): Promise<Provider | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { id } = fields;
      const taken = this.#refuseNew(id);
      if (taken) return taken;
      const row = this.#checkNew(fields, isOwner);
      if (row instanceof Refusal) return row;
      const next = sealProviderRow({ id, fields, changes: fields }, this.#parts);
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

  change(
    id: string,
    fields: Fields & { revision?: number },
    { actor, isOwner }: ChangedBy,
  ): Promise<Provider | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { revision, ...changes } = fields;
      const before = await this.#find(id);
      if (before instanceof Refusal) return before;
      if (revision !== undefined && revision !== before.revision) return changedMeanwhile();
      const former = openProviderRow(before, this.#parts.ring.keys);
      const merged = mergeFields(former, changes);
      const { environment } = this.#parts;
      const row = checkProviderRow(merged, environment);
      if (row instanceof Refusal) return row;
      const newServer = isOwner ? undefined : refuseServer({ former, merged, changes }, environment);
      if (newServer) return newServer;
      const next = sealProviderRow({ id, fields: merged, before, changes }, this.#parts);
      if (next instanceof Refusal) return next;
      const audit = {
        action: 'provider-change' as const,
        target: id,
        actor,
        before: auditOfProvider(former),
        after: { ...auditOfProvider(merged), ...(hasSecret(changes) && { credential_changed: true }) },
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
      const removed = auditOfProvider(openProviderRow(before, this.#parts.ring.keys));
      const audit = { action: 'provider-delete' as const, target: id, before: removed, after: null, actor };
      const applied = await this.#parts.book.apply({ before, next: null, audit });
      return applied instanceof Refusal ? applied : lostModels(id, former, applied.next);
    });
  }

  /** Makes a provider of fields that are not stored, for a test call. */
  draft(fields: Fields & { id: string }, { isOwner }: Pick<ChangedBy, 'isOwner'>): Provider | Refusal {
    const row = this.#checkNew(fields, isOwner);
    if (row instanceof Refusal) return row;
    const { environment, credentialOf } = this.#parts;
    // Its credential must not take the place of one that serves.
    const ofDraft: CredentialFactory = (providerId, plan) => credentialOf(`${providerId} (test)`, plan);
    return providerOfRow(row, { environment, credentialOf: ofDraft });
  }

  #checkNew(fields: Fields, isOwner: boolean): ProviderRow | Refusal {
    const row = checkNewProviderRow(fields, this.#parts.environment);
    if (row instanceof Refusal || isOwner) return row;
    return refuseMachineCredential(fields) ?? row;
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

  /** Applies a change, and returns the provider that is served then. */
  async #apply(id: string, change: SettingChange): Promise<Provider | Refusal> {
    const applied = await this.#parts.book.apply(change);
    return applied instanceof Refusal ? applied : this.#parts.book.current.providers.get(id)!;
  }
}

/** Refuses a change by which a credential would reach another server. */
const refuseServer = (fields: ChangedFields, environment: Environment): Refusal | undefined => {
  const { merged, changes } = fields;
  // A form sends the address with every change.
  const isConcerned = 'google' in changes || 'azure' in changes || isNewServer(fields, environment);
  return refuseNewServer(fields, environment) ?? (isConcerned ? refuseMachineCredential(merged) : undefined);
};
