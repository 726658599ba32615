import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import { readStoredProvider } from '../../settings/hosts/read-stored-provider.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { StoredProblem, StoredRowsTaker } from '../../settings/snapshot/stored-rows-taker.ts';
import { readModel } from '../../settings/stored/read-model.ts';
import type { StoredProvider, StoredRows } from '../../settings/stored/stored-rows.ts';
import type { SettingKind, StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';
import { changedMeanwhile } from './setting-refusals.ts';

export type SettingsBookParts = {
  store: StoredSettingStore;
  ring: KeyRing;
  holder: StoredRowsTaker;
  environment: Environment;
  now(): number;
  /**
   * Reports the problems that stored rows cause in rows of the configuration. Those stored rows are not used.
   */
  report(problems: readonly string[]): void;
};

/** A change of one row. `next` is null for a removal. */
export type SettingChange = {
  before: StoredSetting | undefined;
  next: StoredSetting | null;
  audit: Omit<AuditEntry, 'at'>;
};

/** The result of a change, before it is written. */
export type Preview = { next: Snapshot; problems: readonly StoredProblem[] };

/** Returns a refusal if the change must not be written, or `dry` if nothing should be. */
type CheckPreview = (preview: Preview) => Refusal | 'dry' | undefined;

type Decision = { result: Refusal | Preview; isWritten: boolean };

/**
 * The stored settings, and their way into the snapshot. One change at a time is checked, written and served.
 */
export class SettingsBook {
  readonly #parts: SettingsBookParts;
  #providers = new Map<string, StoredProvider>();
  /** The rows that are served, as text. */
  #servedText = '[]';
  readonly #changes = new OneByOne();
  /** The problems of stored models. Such a model is served without the part that has the problem. */
  problems: readonly StoredProblem[] = [];
  /** Called each time that other stored rows are served. */
  onServed: () => void = () => {};

  constructor(parts: SettingsBookParts) {
    this.#parts = parts;
  }

  get current(): Snapshot {
    return this.#parts.holder.current;
  }

  /** True if a stored credential is encrypted with a key that this process does not have. */
  get lacksKey(): boolean {
    return [...this.#providers.values()].some(({ unusable }) => unusable?.kind === 'no-key');
  }

  /** Reads all rows, and serves them. */
  load(): Promise<void> {
    return this.inTurn(async () => {
      const settings = await this.#parts.store.listSettings();
      // A node also hears of its own changes.
      const text = JSON.stringify(settings);
      if (text === this.#servedText) return;
      const rows = this.#read(settings);
      const refused = await this.#parts.holder.takeStored(rows, async (_, problems) => {
        this.problems = problems;
        return true;
      });
      if (refused) this.#parts.report(refused.problems.map(formatProblem));
      else this.#setServed(rows, text);
    });
  }

  /** Returns the row of a kind and id as the store has it now. */
  async find(kind: SettingKind, id: string): Promise<StoredSetting | undefined> {
    const settings = await this.#parts.store.listSettings();
    return settings.find((setting) => setting.kind === kind && setting.id === id);
  }

  /** Checks a change, writes it and serves it. Call it in a turn. */
  async apply(change: SettingChange, check: CheckPreview = () => undefined): Promise<Refusal | Preview> {
    const { store, holder } = this.#parts;
    const before = await store.listSettings();
    const rows = this.#read(settingsAfter(change, before));
    let decision = undefined as Decision | undefined;
    const refused = await holder.takeStored(rows, async (next, problems) => {
      decision = await this.#decide(change, { next, problems }, check);
      return decision.isWritten;
    });
    if (refused) {
      const message = `The change would spoil the configuration: ${formatProblem(refused.problems[0]!)}`;
      return new Refusal('invalid_request', { message });
    }
    // The holder has asked for the decision, since it did not refuse the rows itself.
    const { result, isWritten } = decision!;
    if (isWritten) this.#setServed(rows, await this.#servedAfter(change, before));
    return result;
  }

  /**
   * Returns the text of the rows after a change, or a text that fits no rows if another process has changed
   * some meanwhile. The next load then serves those too.
   */
  async #servedAfter(change: SettingChange, before: readonly StoredSetting[]): Promise<string> {
    // The change is served already, so a failed read must not refuse it.
    const after = await this.#parts.store.listSettings().catch(() => []);
    const isAlone = Bun.deepEquals(versionsOf(settingsAfter(change, before)), versionsOf(after));
    return isAlone ? JSON.stringify(after) : '';
  }

  /** Writes a change that passes its check. */
  async #decide(change: SettingChange, preview: Preview, check: CheckPreview): Promise<Decision> {
    const verdict = check(preview);
    if (verdict !== undefined) return { result: verdict === 'dry' ? preview : verdict, isWritten: false };
    if ((await this.#write(change)) === 'conflict') return { result: changedMeanwhile(), isWritten: false };
    this.problems = preview.problems;
    return { result: preview, isWritten: true };
  }

  /** Runs one change at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  #write({ before, next, ...change }: SettingChange): Promise<SaveOutcome> {
    const { store, now } = this.#parts;
    const audit = { ...change.audit, at: now() };
    if (!before) return store.addSetting(next!, audit);
    return next ? store.changeSetting(next, audit) : store.removeSetting(before, audit);
  }

  /** Notes the rows that are served now. */
  #setServed(rows: StoredRows, text: string): void {
    this.#providers = new Map(rows.providers.map((provider) => [provider.id, provider]));
    this.#servedText = text;
    this.onServed();
  }

  #read(settings: readonly StoredSetting[]): StoredRows {
    const { environment, ring, now } = this.#parts;
    const reading = { environment, keys: ring.keys, now: now() };
    return {
      providers: settings
        .filter(({ kind }) => kind === 'provider')
        .map((provider) => this.#withEarlierSince(readStoredProvider(provider, reading))),
      models: settings.filter(({ kind }) => kind === 'model').map(readModel),
    };
  }

  /** Keeps the time at which a row became unusable, as long as it stays so. */
  #withEarlierSince(provider: StoredProvider): StoredProvider {
    const unusable = this.#providers.get(provider.id)?.unusable;
    if (!provider.unusable || provider.unusable.kind !== unusable?.kind) return provider;
    return { ...provider, unusable: { ...provider.unusable, since: unusable.since } };
  }
}

/** Returns the rows of the store after a change, which has a row before it, a next row, or both. */
function settingsAfter({ before, next }: SettingChange, settings: readonly StoredSetting[]): StoredSetting[] {
  const { kind, id } = next ?? before!;
  const otherSettings = settings.filter((setting) => setting.kind !== kind || setting.id !== id);
  return next ? [...otherSettings, { ...next, revision: (before?.revision ?? 0) + 1 }] : otherSettings;
}

/** Returns the versions of rows by their kinds and ids. */
const versionsOf = (settings: readonly StoredSetting[]): Map<string, string> =>
  new Map(settings.map(({ kind, id, revision, changedAt }) => [`${kind} ${id}`, `${revision} ${changedAt}`]));
