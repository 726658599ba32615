import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { Option } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import type { Invocation } from './invocation.ts';

export const clientOptions = {
  json: { kind: 'flag', summary: 'Prints the answer as JSON' },
  url: {
    kind: 'text',
    placeholder: 'URL',
    summary:
      'Address of the server (default: the file address in the data directory, or http://127.0.0.1:8080)',
  },
  'admin-token': {
    kind: 'text',
    placeholder: 'TOKEN',
    summary: 'Admin token (default: TOLLGATE_ADMIN_TOKEN, or the file admin-token in the data directory)',
  },
  data: {
    kind: 'text',
    placeholder: 'DIR',
    summary: 'Data directory of the server (default: DATA_DIR, or ./data)',
  },
} as const satisfies Record<string, Option>;

const DEFAULT_ADDRESS = 'http://127.0.0.1:8080';
const TIMEOUT_MS = 30_000;

// biome-ignore lint/suspicious/noExplicitAny: a server's JSON
export type AdminAnswer = any;
export type AdminCall = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  timeoutMs?: number;
};

/** Calls the admin API of the server that the options select. Throws a CommandFailure with the server's error message. */
export async function callAdmin(
  invocation: Invocation,
  { method = 'GET', path, body, timeoutMs = TIMEOUT_MS }: AdminCall,
): Promise<AdminAnswer> {
  const address = addressOf(invocation);
  const token = tokenOf(invocation);
  const response = await reach(address, {
    url: `${address}/admin/v1${path}`,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await readJson(response, address);
  if (response.ok) return answer;
  throw new CommandFailure(oneLine(answer?.error?.message ?? `${address} answered ${response.status}`));
}

function addressOf(invocation: Invocation): string {
  const address = invocation.text('url') ?? readLine(dataDirectory(invocation), 'address') ?? DEFAULT_ADDRESS;
  const url = URL.parse(address);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return address.replace(/\/+$/, '');
  throw new CommandFailure(`'${address}' is not a server address: it must begin with http:// or https://`);
}

function tokenOf(invocation: Invocation): string {
  const directory = dataDirectory(invocation);
  const token =
    invocation.text('admin-token') ??
    (invocation.terminal.environment.TOLLGATE_ADMIN_TOKEN || undefined) ??
    readLine(directory, 'admin-token');
  if (token !== undefined) return token;
  throw new CommandFailure(
    `no admin token: ${join(directory, 'admin-token')} does not exist; pass the server's data directory ` +
      'with --data, or the token with --admin-token or TOLLGATE_ADMIN_TOKEN',
  );
}

/** Reads a file that the server wrote to its data directory. Undefined: the file does not exist or is empty. */
function readLine(directory: string, name: string): string | undefined {
  const path = join(directory, name);
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandFailure(`cannot read ${path}: ${code}`);
  }
}

async function reach(address: string, request: PlainRequest): Promise<Response> {
  try {
    return await sendPlain(request);
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      throw new CommandFailure(`${address} did not answer in time`);
    }
    throw new CommandFailure(`cannot reach ${address}: is the server running?`);
  }
}

async function readJson(response: Response, address: string): Promise<AdminAnswer> {
  try {
    return await response.json();
  } catch {
    throw new CommandFailure(
      `${address} answered ${response.status} without JSON: is this a Tollgate server?`,
    );
  }
}

const oneLine = (text: unknown): string => String(text).replace(/\s+/g, ' ');
