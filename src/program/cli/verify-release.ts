import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOrText } from '../../base/lib/error-code.ts';
import { CommandFailure } from './command-failure.ts';
import { isSigned } from './is-signed.ts';

/** The file of a release that lists its other files with their SHA-256. */
const CHECKSUMS = 'SHA256SUMS';
/** The end of the name of its signature. */
const SIGNATURE_SUFFIX = '.sig';

/** The verified file. `sha256` is undefined for the list itself, which only has a signature. */
export type VerifiedFile = { file: string; sha256: string | undefined };

/**
 * Verifies a file of a release with the list of checksums next to it: the key must have signed the list, and
 * the list must have the file's checksum. Throws the reason if the file must not be used. Needs no network.
 */
export async function verifyRelease(file: string, key: string): Promise<VerifiedFile> {
  const folder = dirname(file);
  const name = basename(file);
  const isList = name === CHECKSUMS || name === `${CHECKSUMS}${SIGNATURE_SUFFIX}`;
  const listPath = join(folder, CHECKSUMS);
  const list = await readNeeded(listPath);
  const signature = await readNeeded(`${listPath}${SIGNATURE_SUFFIX}`);
  if (!isSigned(list, signature.toString(), [key]))
    throw new CommandFailure(`${listPath} is not signed with the key ${key}`);
  if (isList) return { file, sha256: undefined };
  const expected = checksumIn(list.toString(), name);
  if (expected === undefined) throw new CommandFailure(`${listPath} does not list ${name}`);
  const checksum = await checksumOf(file);
  if (checksum !== expected)
    throw new CommandFailure(`${file} has the checksum ${checksum}, and the release has ${expected}`);
  return { file, sha256: checksum };
}

function checksumIn(list: string, name: string): string | undefined {
  for (const line of list.split('\n')) {
    const [, checksum, listed] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (listed === name) return checksum;
  }
  return undefined;
}

/** An archive has more than 50 MB, so it is read in pieces. */
async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece);
  } catch (error) {
    throw unreadable(file, error);
  }
  return hash.digest('hex');
}

async function readNeeded(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): CommandFailure =>
  new CommandFailure(`${path} cannot be read: ${codeOrText(error)}`);
