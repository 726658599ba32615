import { Refusal } from '../../base/errors/refusal.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/setting-secrets.ts';
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
      // Another rotation would drop the key of the rows that an interrupted one has not reached.
      if (ring.isInterrupted) await finishRotation(store, ring);
      const begun = await ring.begin(newKey);
      if (begun) {
        const code = begun.param === null ? 'conflict' : 'invalid_request';
        return new Refusal(code, { message: begun.refused, param: begun.param });
      }
      return finishRotation(store, ring);
    });
    if (rotated instanceof Refusal) return rotated;
    await accounts.record('secret-rotate', 'secrets', { before: null, after: rotated, actor });
    await book.load();
    return rotated;
  }
}

/** Encrypts all secrets with the new key, and drops the former one, which no row needs any more. */
export async function finishRotation(store: StoredSettingStore, ring: KeyRing): Promise<RotatedSecrets> {
  const outcome = await sealAgain(store, ring);
  await ring.end();
  return outcome;
}

/** Encrypts all secrets with the first key. Secrets that are encrypted with it already stay as they are. */
async function sealAgain(store: StoredSettingStore, ring: Pick<KeyRing, 'keys'>): Promise<RotatedSecrets> {
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
