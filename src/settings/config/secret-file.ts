import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';

const MAX_BYTES = 64 * 1024;
const SUFFIX = '_FILE';

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'is not readable by this user',
};

/**
 * Reads a file with a secret, without the line end that editors add. `name` is the variable or placeholder
 * that names it.
 */
export function readSecretFile(path: string, name: string): string {
  const failed = (reason: string) =>
    new Unavailable(`The file ${path} of ${name} ${reason}`, 'correct the path or the file');
  if (!isAbsolute(path)) throw failed('has no absolute path');
  try {
    // A device or a pipe could send without end.
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw failed('is not a file of at most 64 KB');
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw failed(lookUp(reasons, codeOfError(error)) ?? 'cannot be read');
  }
}

/**
 * Returns an environment in which NAME_FILE stands for NAME, as orchestrators mount secrets. A variable with
 * a value takes precedence over its file. A file is read each time, so a reload finds its new content.
 * Reading a variable with an unreadable file throws `Unavailable`.
 */
export function withSecretFiles(environment: Environment): Environment {
  return new Proxy(environment, {
    get(target, name) {
      if (typeof name !== 'string') return Reflect.get(target, name);
      const path = target[name] ? undefined : target[`${name}${SUFFIX}`];
      return path ? readSecretFile(path, `${name}${SUFFIX}`) : target[name];
    },
  });
}
