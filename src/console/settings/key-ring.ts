import type { SecretKeys } from '../../settings/stored/secret-keys.ts';

/** The owner of the master keys of stored secrets. */
export type KeyRing = {
  readonly keys: SecretKeys;
  /** The reason why no key encrypts, with the remedy. `null` means that one does. */
  readonly missing: string | null;
  /** True if a rotation was interrupted. The ring then has the new key and the former key. */
  readonly isInterrupted: boolean;
  /**
   * Begins a rotation. Afterwards `keys` encrypts with the new key and decrypts with both. Returns the reason
   * if the place of the keys does not allow it.
   */
  begin(newKey: string | undefined): Promise<{ refused: string; param: string | null } | undefined>;
  /** Ends a rotation: the former key is dropped. */
  end(): Promise<void>;
};
