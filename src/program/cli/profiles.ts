import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOfError, codeOrText } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';
import { nearestName } from '../../base/schema/nearest-name.ts';
import { CommandFailure } from './command-failure.ts';
import type { Terminal } from './terminal.ts';

/** A server that commands can name. It has a token, or the environment variable that holds the token. */
export type Profile = { url: string; token?: string; token_variable?: string };

export type ProfileTable = Readonly<Record<string, Profile>>;
type Environment = Terminal['environment'];

/** Returns the file of the profiles, in the user's directory for configurations. */
export function profilesPath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  // The XDG specification ignores relative paths.
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'tollgate', 'profiles.json');
}

/** Reads all profiles. Fails if other users could read the tokens. */
export function readProfiles(environment: Environment): ProfileTable {
  const path = profilesPath(environment);
  const text = readOwn(path);
  if (text === undefined) return {};
  try {
    const { profiles } = JSON.parse(text) as { profiles: ProfileTable };
    if (Object.values(profiles).every(({ url }) => typeof url === 'string')) return profiles;
  } catch {
    // The failure below names the file.
  }
  throw new CommandFailure(`${path} is not a file of profiles; correct or delete it`);
}

function readOwn(path: string): string | undefined {
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new CommandFailure(`other users can access ${path}; run chmod 600 on it`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = codeOfError(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandFailure(`cannot read ${path}: ${codeOrText(error)}`);
  }
}

/** Replaces the file as a whole, so that a failure leaves the old profiles. Only its owner can read it. */
export function writeProfiles(environment: Environment, profiles: ProfileTable): void {
  const path = profilesPath(environment);
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandFailure(`cannot write ${path}: ${codeOrText(error)}`);
  }
}

/** Returns the profile with this name. Fails if there is none, and suggests a similar name. */
export function profileNamed(name: string, environment: Environment): Profile {
  const profiles = readProfiles(environment);
  const profile = lookUp(profiles, name);
  if (profile !== undefined) return profile;
  const nearest = nearestName(name, Object.keys(profiles));
  const hint = nearest === undefined ? "; see 'tollgate profile list'" : `; did you mean '${nearest}'?`;
  throw new CommandFailure(`there is no profile '${name}'${hint}`);
}
