import { readFileSync } from 'node:fs';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOrText } from '../../base/lib/error-code.ts';
import type { KeyRing } from '../../console/settings/key-ring.ts';
import { writeWhole } from '../../settings/config/replace-file.ts';
import { KEYS_FORM, SecretKeys } from '../../settings/stored/secret-keys.ts';

const OWNER_ONLY = 0o600;

/**
 * The master keys in a file of the data directory of an embedded store. During a rotation it has the new and
 * the former key, so that an interruption loses nothing.
 */
export class KeyFile implements KeyRing {
  readonly missing = null;
  readonly #path: string;
  keys: SecretKeys;

  private constructor(path: string, keys: SecretKeys) {
    this.#path = path;
    this.keys = keys;
  }

  static read(path: string): KeyFile {
    const keys = SecretKeys.parse(textOf(path).trim());
    if (!keys) throw new Unavailable(`${path} is not valid`, `put back the file with ${KEYS_FORM}`);
    return new KeyFile(path, keys);
  }

  /** Creates the file with a new key. */
  static async create(path: string): Promise<KeyFile> {
    const file = new KeyFile(path, SecretKeys.none);
    await file.begin(SecretKeys.generate());
    return file;
  }

  get isInterrupted(): boolean {
    return this.keys.newest().format() !== this.keys.format();
  }

  async begin(newKey: string | undefined): ReturnType<KeyRing['begin']> {
    const next = this.keys.precededBy(newKey ?? SecretKeys.generate());
    if (!next) return { refused: 'new_key must be one key: the base64 text of 32 bytes.', param: 'new_key' };
    await this.#write(next);
    return undefined;
  }

  end(): Promise<void> {
    return this.#write(this.keys.newest());
  }

  async #write(keys: SecretKeys): Promise<void> {
    try {
      await writeWhole(this.#path, `${keys.format()}\n`, OWNER_ONLY);
    } catch (error) {
      const reason = `${this.#path} cannot be written (${codeOrText(error)})`;
      throw new Unavailable(reason, 'free some space or check the permissions of that path', error);
    }
    this.keys = keys;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = `${path} cannot be read (${codeOrText(error)})`;
    throw new Unavailable(reason, 'check the permissions of that path', error);
  }
}
