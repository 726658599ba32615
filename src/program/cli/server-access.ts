import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../base/lib/environment.ts';
import { codeOfError, codeOrText } from '../../base/lib/error-code.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import type { Invocation } from './invocation.ts';
import { type Profile, profileNamed } from './profiles.ts';

const DEFAULT_ADDRESS = 'http://127.0.0.1:8080';

/** The server that a command talks to. Its token goes to no other address. */
export type ServerAccess = { address: string; token: string };

/** Finds the server that the options, the environment or the data directory name. */
export function serverAccess(invocation: Invocation): ServerAccess {
  const profile = profileOf(invocation);
  return { address: addressOf(invocation, profile?.chosen), token: tokenOf(invocation, profile) };
}

/** Reports whether an option or a variable names a server, so that the data directory does not. */
export const namesServer = (invocation: Invocation): boolean =>
  invocation.text('url') !== undefined || chosenProfile(invocation) !== undefined;

type NamedProfile = { name: string; chosen: Profile };

function profileOf(invocation: Invocation): NamedProfile | undefined {
  const name = chosenProfile(invocation);
  return name === undefined
    ? undefined
    : { name, chosen: profileNamed(name, invocation.terminal.environment) };
}

/**
 * Returns the profile that the options or TOLLGATE_PROFILE choose. Options override the variable, also those
 * that name a server in another way.
 */
function chosenProfile(invocation: Invocation): string | undefined {
  const profileOption = invocation.text('profile');
  const otherwise = ['url', 'data'].find((option) => invocation.text(option) !== undefined);
  if (profileOption !== undefined && otherwise !== undefined)
    throw new UsageError(`--profile and --${otherwise} cannot be combined`);
  if (otherwise !== undefined) return undefined;
  return profileOption ?? (invocation.terminal.environment.TOLLGATE_PROFILE || undefined);
}

function addressOf(invocation: Invocation, profile: Profile | undefined): string {
  const address =
    profile?.url ??
    invocation.text('url') ??
    readLine(dataDirectory(invocation), 'address') ??
    DEFAULT_ADDRESS;
  return checkedAddress(address);
}

/** Returns the address without a slash at its end. */
export function checkedAddress(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return address.replace(/\/+$/, '');
  throw new CommandFailure(`'${address}' is not a server address: it must begin with http:// or https://`);
}

function tokenOf(invocation: Invocation, profile: NamedProfile | undefined): string {
  const { environment } = invocation.terminal;
  const option = invocation.text('admin-token');
  if (option !== undefined) return option;
  // The data directory has the token of another server.
  if (profile !== undefined) return tokenOfProfile(profile, environment);
  const directory = dataDirectory(invocation);
  const token = (environment.TOLLGATE_ADMIN_TOKEN || undefined) ?? readLine(directory, 'admin-token');
  if (token !== undefined) return token;
  const file = join(directory, 'admin-token');
  throw new CommandFailure(
    environment.DATABASE_URL
      ? `no admin token: ${file} does not exist; of the nodes on one database, only the node that made the ` +
          'token has the file; pass the token with --admin-token or TOLLGATE_ADMIN_TOKEN, or its directory with --data'
      : `no admin token: ${file} does not exist; pass the server's data directory ` +
          'with --data, or the token with --admin-token or TOLLGATE_ADMIN_TOKEN',
  );
}

function tokenOfProfile({ name, chosen }: NamedProfile, environment: Environment): string {
  const variable = chosen.token_variable ?? 'TOLLGATE_ADMIN_TOKEN';
  const token = chosen.token ?? (environment[variable] || undefined);
  if (token !== undefined) return token;
  throw new CommandFailure(
    `the profile '${name}' has no admin token, and ${variable} is not set; pass the token with --admin-token`,
  );
}

/**
 * Reads a file that the server wrote to its data directory. Returns undefined if the file does not exist or
 * is empty.
 */
export function readLine(directory: string, name: string): string | undefined {
  const path = join(directory, name);
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    const code = codeOfError(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandFailure(`cannot read ${path}: ${codeOrText(error)}`);
  }
}
