import { withBase } from './base-path.ts';
import { Problem, problemOf } from './problem.ts';
import { askForSignIn } from './recent-sign-in.ts';
import { endSession, noteRefusedRole } from './session-ended.ts';

type CallMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type CallOptions = {
  signal?: AbortSignal;
  /** Headers in addition to the usual ones. */
  headers?: Readonly<Record<string, string>>;
};

/** The path of the dashboard's API. */
export const API = '/dashboard/v1';

/** Paths that do not exist for people without a role there. */
const PATH_OF_ROLE = /^\/(organizations|operator)\//;

/** Calls the dashboard's API. The path begins after `/dashboard/v1`. Throws a `Problem`. */
export async function call<Answer>(
  method: CallMethod,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await send(method, path, body, options);
  if (answer.status === 204) return undefined as Answer;
  return answer.json().catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw unreachable();
  });
}

/**
 * Calls the dashboard's API and returns the answer unread, for streams and files. Throws a `Problem`.
 * A change that needs a recent sign-in asks for it, and is then sent again.
 */
export async function send(
  method: CallMethod,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Response> {
  const { signal, headers } = options;
  const answer = await fetch(withBase(`${API}${path}`), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable();
  });
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  if (problem.code === 'missing_api_key') endSession();
  if (problem.code === 'permission_denied' || (problem.code === 'not_found' && PATH_OF_ROLE.test(path)))
    noteRefusedRole();
  if (problem.code === 'recent_sign_in_required' && (await askForSignIn()))
    return send(method, path, body, options);
  throw problem;
}

const unreachable = (): Problem =>
  new Problem({
    status: 0,
    code: 'unreachable',
    message: 'The server cannot be reached. Check your connection, and try again.',
  });
