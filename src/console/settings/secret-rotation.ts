import { Refusal } from '../../base/errors/refusal.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/provider-secrets.ts';
import type { KeyRing } from './key-ring.ts';
import type { SettingsBook } from './settings-book.ts';

export type SecretRotationParts = {
  book: Pick<SettingsBook, 'inTurn' | 'load'>;
  ring: KeyRing;
  store: StoredSettingStore;
  accounts: Pick<Accounts, 'record'>;
};

/** `unreadable`: rows whose secrets no key decrypts. They stay as they are. */
export type RotatedSecrets = { rotated: number; unreadable: string[] };

/** Encrypts all stored secrets with another key. */
export class SecretRotation {
  readonly #parts: SecretRotationParts;

  constructor(parts: SecretRotationParts) {
    this.#parts = parts;
  }

  async rotate(newKey: string | undefined, actor: string): Promise<RotatedSecrets | Refusal> {
    const { book, ring, store, accounts } = this.#parts;
    const rotated = await book.inTurn(async () => {
      const begun = await ring.begin(newKey);
      if (begun) {
        const code = begun.param === null ? 'conflict' : 'invalid_request';
        return new Refusal(code, { message: begun.refused, param: begun.param });
      }
      const outcome = await sealAgain(store, ring);
      // A row that only the former key could decrypt would be lost with it.
      await ring.end();
      return outcome;
    });
    if (rotated instanceof Refusal) return rotated;
    await accounts.record('secret-rotate', 'secrets', { before: null, after: rotated, actor });
    await book.load();
    return rotated;
  }
}

/** Encrypts all secrets with the first key. Secrets that are encrypted with it already stay as they are. */
export async function sealAgain(
  store: StoredSettingStore,
  ring: Pick<KeyRing, 'keys'>,
): Promise<RotatedSecrets> {
  const outcome: RotatedSecrets = { rotated: 0, unreadable: [] };
  for (const row of await store.listSettings()) {
    if (row.secrets === null || ring.keys.isCurrent(row.secrets)) continue;
    const opened = openSecrets(ring.keys, row);
    if (opened.kind !== 'opened') {
      outcome.unreadable.push(row.id);
      continue;
    }
    const to = sealSecrets(ring.keys, row, opened.secrets);
    if (await store.resealSetting({ kind: row.kind, id: row.id, from: row.secrets, to })) outcome.rotated++;
  }
  return outcome;
}
