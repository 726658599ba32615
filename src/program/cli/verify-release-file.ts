import { join } from 'node:path';
import { readBuild } from '../../base/build/read-build.ts';
import type { Run } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';
import { verifyRelease } from './verify-release.ts';

const root = join(import.meta.dir, '..', '..', '..');
/** The base64 of 32 bytes. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/** Verifies the checksum and the signature of a file of a release. */
export const verifyReleaseFile: Run = async (invocation) => {
  const key = keyOf(invocation);
  const { file, sha256 } = await verifyRelease(invocation.required('FILE'), key);
  if (invocation.flag('json')) printJson(invocation, { file, sha256: sha256 ?? null, key });
  else invocation.terminal.print(`${file}: verified with the key ${key}`);
  return 0;
};

/** Returns the key of the option, or the one with which this program was released. */
function keyOf(invocation: Invocation): string {
  const option = invocation.text('key');
  if (option !== undefined && !KEY.test(option))
    throw new UsageError('--key must be the base64 of a public Ed25519 key (32 bytes)');
  const key = option ?? readBuild(root).releaseKey;
  if (key === undefined)
    throw new CommandFailure('this program is not from a release, so it has no key; name one with --key');
  return key;
}
