import { Unavailable } from '../../base/errors/unavailable.ts';
import type { KeyRing } from '../../console/settings/key-ring.ts';
import { KEYS_FORM, SecretKeys } from '../../settings/stored/secret-keys.ts';

export const SECRET_KEY_VARIABLE = 'TOLLGATE_SECRET_KEY';
const NEEDS_RESTART = `The key is in ${SECRET_KEY_VARIABLE}. Restart the nodes with the new and the old key in it, with a comma between, and rotate then.`;

/** Returns the master keys of the variable. A rotation needs a restart, since no process can change it. */
export function ringOfVariable(text: string): KeyRing {
  const keys = SecretKeys.parse(text);
  if (!keys) throw new Unavailable(`${SECRET_KEY_VARIABLE} is not valid`, `set it to ${KEYS_FORM}`);
  return {
    keys,
    missing: null,
    isInterrupted: false,
    async begin(newKey) {
      const hasTwo = keys.newest().format() !== keys.format();
      return newKey === undefined && hasTwo ? undefined : { refused: NEEDS_RESTART, param: null };
    },
    async end() {},
  };
}
