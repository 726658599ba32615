import { readFileSync } from 'node:fs';
import { codeOrText } from '../../base/lib/error-code.ts';
import { isLoopback } from '../../base/lib/is-loopback.ts';
import type { Run } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { field, printFields, printList } from './print-answer.ts';
import { type Profile, type ProfileTable, profileNamed, readProfiles, writeProfiles } from './profiles.ts';
import { checkedAddress } from './server-access.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TOKEN_OPTIONS = ['admin-token', 'token-file', 'token-variable'] as const;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns a profile as it is printed. Its token is never printed. */
const viewOf = (name: string, { url, token, token_variable }: Profile) => ({
  id: name,
  url,
  token: token === undefined ? (token_variable ?? 'TOLLGATE_ADMIN_TOKEN') : 'stored',
});

const columns = [field('id', 'name'), field('url'), field('token', 'token from')];

export const addProfile: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const name = invocation.required('NAME');
  if (!NAME.test(name))
    throw new UsageError('NAME must consist of letters, digits, dots, hyphens and underscores');
  const url = checkedAddress(invocation.required('URL'));
  const profile = { url, ...tokenGiven(invocation) };
  writeProfiles(environment, { ...readProfiles(environment), [name]: profile });
  if (sendsInTheClear(url))
    invocation.terminal.remark(`${url} is not encrypted, so the network can read the admin token.`);
  printFields(invocation, viewOf(name, profile));
  return 0;
};

function tokenGiven(invocation: Invocation): Pick<Profile, 'token' | 'token_variable'> {
  const options = TOKEN_OPTIONS.filter((option) => invocation.text(option) !== undefined);
  if (options.length > 1) throw new UsageError(`--${options[0]} and --${options[1]} cannot be combined`);
  const [option] = options;
  if (option === undefined) return {};
  const text = invocation.text(option)!;
  if (option === 'admin-token') return { token: text };
  if (option === 'token-file') return { token: tokenIn(text) };
  if (!VARIABLE.test(text)) throw new UsageError('--token-variable must be the name of a variable');
  return { token_variable: text };
}

function tokenIn(path: string): string {
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CommandFailure(`cannot read ${path}: ${codeOrText(error)}`);
  }
  if (token === '' || /\s/.test(token)) throw new CommandFailure(`${path} does not hold one token`);
  return token;
}

function sendsInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

export const listProfiles: Run = async (invocation) => {
  const data = Object.entries(readProfiles(invocation.terminal.environment)).map(([name, profile]) =>
    viewOf(name, profile),
  );
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  await printList(invocation, { object: 'list', data, ...ends, has_more: false }, { columns });
  return 0;
};

export const removeProfile: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const name = invocation.required('NAME');
  const profile = profileNamed(name, environment);
  const otherProfiles: ProfileTable = Object.fromEntries(
    Object.entries(readProfiles(environment)).filter(([other]) => other !== name),
  );
  writeProfiles(environment, otherProfiles);
  printFields(invocation, viewOf(name, profile));
  return 0;
};
