import { randomText } from '../../base/lib/ids.ts';
import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { StateFiles } from './state-files.ts';

/** The first admin token. `text` is undefined if only another node knows the token. */
export type FirstToken = { hash: string; text: string | undefined };

type TokenSources = {
  configured: string | null;
  files: StateFiles;
  /** Undefined if no other process shares the store. */
  installation: InstallationStore | undefined;
};

/**
 * Returns the configured token, else the token of the installation, else a new one. The file has it for the
 * commands, on the nodes that know it.
 */
export async function ensureFirstToken({
  configured,
  files,
  installation,
}: TokenSources): Promise<FirstToken> {
  if (configured === null && installation) return ensureSharedToken(files, installation);
  const text = configured ?? files.read('admin-token') ?? newToken();
  if (files.read('admin-token') !== text) await files.write('admin-token', text);
  return { hash: hashKey(text), text };
}

/** The file is written first, so that an interruption cannot lose a token that the store has. */
async function ensureSharedToken(files: StateFiles, installation: InstallationStore): Promise<FirstToken> {
  const storedHash = await installation.adminTokenHash();
  if (storedHash !== undefined) return knownToken(files, storedHash);
  const offered = newToken();
  const isOurs = await files.create('admin-token', offered);
  const text = isOurs ? offered : await readOrFill(files, offered);
  if ((await installation.claimAdminToken(hashKey(text))) === 'made') return { hash: hashKey(text), text };
  const hash = await installation.adminTokenHash();
  if (hash === undefined) throw new Error('the store has lost the admin token');
  if (isOurs && hash !== hashKey(text)) await files.remove('admin-token');
  return knownToken(files, hash);
}

function knownToken(files: StateFiles, hash: string): FirstToken {
  const text = files.read('admin-token');
  return { hash, text: text !== undefined && hashKey(text) === hash ? text : undefined };
}

/** Returns the token of the file. An interrupted start of an earlier version can have left the file empty. */
async function readOrFill(files: StateFiles, offered: string): Promise<string> {
  const text = files.read('admin-token');
  if (text === undefined) await files.write('admin-token', offered);
  return text ?? offered;
}

const newToken = (): string => `tga_${randomText(43)}`;
