import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { codeOrText } from '../../base/lib/error-code.ts';
import type { KeyRing } from '../../console/settings/key-ring.ts';
import { writeWhole } from '../../settings/config/replace-file.ts';
import { SecretKeys } from '../../settings/stored/secret-keys.ts';

export const SECRET_KEY_VARIABLE = 'TOLLGATE_SECRET_KEY';
export const SECRET_KEY_FILE = 'secret-key';

const OWNER_ONLY = 0o600;
const FORM = 'one key, or two with a comma between, each the base64 text of 32 bytes';

export type KeyRingOrder = {
  environment: Environment;
  /** The data directory of an embedded store. Several nodes have no file of their own. */
  directory: string | null;
  /** Reports whether the store has encrypted secrets already. */
  hasSecrets(): Promise<boolean>;
};

/**
 * Finds the master keys: those of the variable, or those of the file in the data directory,
 * which is made if there is none.
 */
export async function openKeyRing({ environment, directory, hasSecrets }: KeyRingOrder): Promise<KeyRing> {
  const variable = environment[SECRET_KEY_VARIABLE];
  if (variable) return ringOfVariable(variable);
  if (directory === null)
    return withoutKeys(`Set ${SECRET_KEY_VARIABLE} on every node to store credentials.`);
  const file = join(resolve(directory), SECRET_KEY_FILE);
  if (existsSync(file)) return new KeyFile(file, readKeys(file));
  // Another key would hide that the former one is gone.
  if (await hasSecrets())
    return withoutKeys(
      `The file ${file} is missing, and stored credentials need it. Put it back, and restart.`,
    );
  const keys = SecretKeys.parse(SecretKeys.generate())!;
  await writeKeys(file, keys);
  return new KeyFile(file, keys);
}

const withoutKeys = (missing: string): KeyRing => ({
  keys: SecretKeys.none,
  isInterrupted: false,
  missing,
  begin: async () => ({ refused: missing, param: null }),
  end: async () => {},
});

function ringOfVariable(text: string): KeyRing {
  const keys = SecretKeys.parse(text);
  if (!keys) throw new Unavailable(`${SECRET_KEY_VARIABLE} is not valid`, `set it to ${FORM}`);
  return {
    keys,
    missing: null,
    isInterrupted: false,
    async begin(newKey) {
      if (newKey === undefined && keys.newest().format() !== keys.format()) return undefined;
      const refused = `The key is in ${SECRET_KEY_VARIABLE}. Restart the nodes with the new and the old key in it, with a comma between, and rotate then.`;
      return { refused, param: null };
    },
    async end() {},
  };
}

function readKeys(file: string): SecretKeys {
  const keys = SecretKeys.parse(readFileSync(file, 'utf8').trim());
  if (!keys) throw new Unavailable(`${file} is not valid`, `put back the file with ${FORM}`);
  return keys;
}

/**
 * The file of the embedded store.
 * During a rotation it has the new and the former key, so that an interruption loses nothing.
 */
class KeyFile implements KeyRing {
  readonly missing = null;
  readonly #path: string;
  keys: SecretKeys;

  constructor(path: string, keys: SecretKeys) {
    this.#path = path;
    this.keys = keys;
  }

  get isInterrupted(): boolean {
    return this.keys.newest().format() !== this.keys.format();
  }

  async begin(newKey: string | undefined): Promise<{ refused: string; param: string | null } | undefined> {
    const next = this.keys.precededBy(newKey ?? SecretKeys.generate());
    if (!next) return { refused: 'new_key must be one key: the base64 text of 32 bytes.', param: 'new_key' };
    await this.#write(next);
    return undefined;
  }

  end(): Promise<void> {
    return this.#write(this.keys.newest());
  }

  async #write(keys: SecretKeys): Promise<void> {
    await writeKeys(this.#path, keys);
    this.keys = keys;
  }
}

async function writeKeys(path: string, keys: SecretKeys): Promise<void> {
  try {
    await writeWhole(path, `${keys.format()}\n`, OWNER_ONLY);
  } catch (error) {
    const reason = `${path} cannot be written (${codeOrText(error)})`;
    throw new Unavailable(reason, 'free some space or check the permissions of that path', error);
  }
}
