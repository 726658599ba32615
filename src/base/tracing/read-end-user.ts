/** The end user and the session that a request belongs to, as its client names them. */
export type EndUser = { user: string | undefined; session: string | undefined };

const MAX_LENGTH = 256;
const USER_HEADER = 'x-openwebui-user-id';
const SESSION = '_session_';
const EMPTY_ACCOUNT = /_account_$/;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_LENGTH) : undefined;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/**
 * Reads user and session from Open WebUI's headers, from `metadata.user_id`, from `safety_identifier` and
 * from `user`, in this order. Claude Code sends both in `metadata.user_id`.
 */
export function readEndUser(headers: Pick<Headers, 'get'>, body: Readonly<Record<string, unknown>>): EndUser {
  const named = memberOf(body['metadata'], 'user_id');
  const both = typeof named === 'string' ? splitUserId(named) : undefined;
  return {
    user: headerUser(headers) ?? textOf(both?.user) ?? namedUser(body),
    session: textOf(headers.get('x-openwebui-chat-id')) ?? textOf(both?.session),
  };
}

/** Returns the user of Open WebUI. */
export const headerUser = (headers: Pick<Headers, 'get'>): string | undefined =>
  textOf(headers.get(USER_HEADER));

/** Reads the end user that a body names, as `readEndUser` does. */
export function bodyUser(body: Readonly<Record<string, unknown>>): string | undefined {
  const named = memberOf(body['metadata'], 'user_id');
  return (typeof named === 'string' ? textOf(splitUserId(named).user) : undefined) ?? namedUser(body);
}

const namedUser = (body: Readonly<Record<string, unknown>>): string | undefined =>
  textOf(body['safety_identifier']) ?? textOf(body['user']);

/**
 * Splits `user_…_account_…_session_…`, or the JSON object that later versions of
 * Claude Code send in its place.
 */
function splitUserId(text: string): { user: unknown; session: unknown } {
  const at = text.lastIndexOf(SESSION);
  if (at > 0) {
    return {
      user: text.slice(0, at).replace(EMPTY_ACCOUNT, ''),
      session: text.slice(at + SESSION.length),
    };
  }
  const object = text.startsWith('{') && text.length < 1_024 ? parsed(text) : undefined;
  const session = memberOf(object, 'session_id');
  if (session === undefined) return { user: text, session: undefined };
  return { user: textOf(memberOf(object, 'account_uuid')) ?? memberOf(object, 'device_id'), session };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
