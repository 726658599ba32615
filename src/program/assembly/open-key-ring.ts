import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../../base/lib/environment.ts';
import type { KeyRing } from '../../console/settings/key-ring.ts';
import { SecretKeys } from '../../settings/stored/secret-keys.ts';
import { KeyFile } from './key-file.ts';
import { ringOfVariable, SECRET_KEY_VARIABLE } from './key-variable.ts';

const FILE = 'secret-key';

export type KeyRingOrder = {
  environment: Environment;
  /** The data directory of an embedded store. Several nodes have no file of their own. */
  directory: string | null;
  /** Reports whether the store has encrypted secrets already. */
  hasSecrets(): Promise<boolean>;
};

/**
 * Finds the master keys in the variable, otherwise in the file of the data directory. The file is made if it
 * does not exist.
 */
export async function openKeyRing({ environment, directory, hasSecrets }: KeyRingOrder): Promise<KeyRing> {
  const variable = environment[SECRET_KEY_VARIABLE];
  if (variable) return ringOfVariable(variable);
  if (directory === null)
    return withoutKeys(`Set ${SECRET_KEY_VARIABLE} on every node to store credentials.`);
  const path = join(resolve(directory), FILE);
  if (existsSync(path)) return KeyFile.read(path);
  // Another key would hide that the former one is gone.
  if (await hasSecrets())
    return withoutKeys(
      `The file ${path} is missing, and stored credentials need it. Put it back, and restart.`,
    );
  return KeyFile.create(path);
}

/** Returns a ring that can encrypt nothing, with the reason. */
const withoutKeys = (missing: string): KeyRing => ({
  keys: SecretKeys.none,
  isInterrupted: false,
  missing,
  begin: async () => ({ refused: missing, param: null }),
  end: async () => {},
});
