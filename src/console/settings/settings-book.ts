import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import { formatProblem } from '../../settings/config/config-problem.ts';
import { readStoredProvider } from '../../settings/hosts/read-stored-provider.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { StoredProblem, StoredRowsTaker } from '../../settings/snapshot/stored-snapshot.ts';
import { readModel } from '../../settings/stored/read-model.ts';
import type { StoredProvider, StoredRows } from '../../settings/stored/stored-rows.ts';
import type { SettingKind, StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';

export type SettingsBookParts = {
  store: StoredSettingStore;
  ring: KeyRing;
  holder: StoredRowsTaker;
  environment: Environment;
  now(): number;
  /**
   * Is called with problems that stored rows cause in rows of the configuration. The stored rows are then not
   * used.
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
type Judge = (preview: Preview) => Refusal | 'dry' | undefined;

/**
 * The stored settings, and their way into the snapshot. One change at a time is checked, written and served.
 */
export class SettingsBook {
  readonly #parts: SettingsBookParts;
  #providers = new Map<string, StoredProvider>();
  /** The rows that are served, as text. */
  #taken = '[]';
  readonly #changes = new OneByOne();
  /** The problems of stored models that are served without what they concern. */
  problems: readonly StoredProblem[] = [];
  /** Is called after each change of the snapshot. */
  follow: () => void = () => {};

  constructor(parts: SettingsBookParts) {
    this.#parts = parts;
  }

  get current(): Snapshot {
    return this.#parts.holder.current;
  }

  /** A stored credential is encrypted with a key that this process does not have. */
  get lacksKey(): boolean {
    return [...this.#providers.values()].some(({ unusable }) => unusable?.kind === 'no-key');
  }

  /** Reads all rows, and serves them. */
  load(): Promise<void> {
    return this.inTurn(async () => {
      const settings = await this.#parts.store.listSettings();
      // A node also hears of its own changes.
      const text = JSON.stringify(settings);
      if (text === this.#taken) return;
      const rows = this.#read(settings);
      const spoilt = await this.#parts.holder.takeStored(rows, async (_, problems) => {
        this.problems = problems;
        return true;
      });
      if (spoilt) this.#parts.report(spoilt.problems.map(formatProblem));
      else this.#took(rows, text);
    });
  }

  /** Returns the row of a kind and id as the store has it now. */
  async find(kind: SettingKind, id: string): Promise<StoredSetting | undefined> {
    const settings = await this.#parts.store.listSettings();
    return settings.find((setting) => setting.kind === kind && setting.id === id);
  }

  /** Checks a change, writes it and serves it. Call it in a turn. */
  async apply({ before, next, audit }: SettingChange, judge: Judge): Promise<Refusal | Preview> {
    const { store, holder } = this.#parts;
    const changed = next ?? before!;
    const isOther = (setting: StoredSetting) => setting.kind !== changed.kind || setting.id !== changed.id;
    const otherSettings = (await store.listSettings()).filter(isOther);
    const rows = this.#read(
      next ? [...otherSettings, { ...next, revision: (before?.revision ?? 0) + 1 }] : otherSettings,
    );
    let outcome: Refusal | Preview = new Refusal('conflict');
    const spoilt = await holder.takeStored(rows, async (snapshot, problems) => {
      const preview = { next: snapshot, problems };
      const judged = judge(preview);
      outcome = judged instanceof Refusal ? judged : preview;
      if (judged !== undefined) return false;
      const saved = await this.#write({ before, next, audit: { ...audit, at: this.#parts.now() } });
      if (saved === 'conflict') outcome = changedMeanwhile();
      else this.problems = problems;
      return saved === 'saved';
    });
    if (spoilt) {
      const message = `The change would spoil the configuration: ${formatProblem(spoilt.problems[0]!)}`;
      return new Refusal('invalid_request', { message });
    }
    if (!(outcome instanceof Refusal) && this.current === (outcome as Preview).next)
      this.#took(rows, JSON.stringify(await store.listSettings()));
    return outcome;
  }

  /** Runs one change at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  #write({ before, next, audit }: Pick<SettingChange, 'before' | 'next'> & { audit: AuditEntry }) {
    const { store } = this.#parts;
    if (!before) return store.addSetting(next!, audit);
    return next ? store.changeSetting(next, audit) : store.removeSetting(before, audit);
  }

  #took(rows: StoredRows, text: string): void {
    this.#providers = new Map(rows.providers.map((provider) => [provider.id, provider]));
    this.#taken = text;
    this.follow();
  }

  #read(settings: readonly StoredSetting[]): StoredRows {
    const { environment, ring, now } = this.#parts;
    const reading = { environment, keys: ring.keys, now: now() };
    return {
      providers: settings
        .filter(({ kind }) => kind === 'provider')
        .map((provider) => this.#sinceBefore(readStoredProvider(provider, reading))),
      models: settings.filter(({ kind }) => kind === 'model').map(readModel),
    };
  }

  /** A row that stays unusable keeps the time at which that was noticed. */
  #sinceBefore(provider: StoredProvider): StoredProvider {
    const unusable = this.#providers.get(provider.id)?.unusable;
    if (!provider.unusable || provider.unusable.kind !== unusable?.kind) return provider;
    return { ...provider, unusable: { ...provider.unusable, since: unusable.since } };
  }
}

export const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', { message: 'The row has changed since it was read. Load it again.' });
