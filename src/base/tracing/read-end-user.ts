import { objectOf, textOf } from '../json/read-json.ts';
import type { HeaderReader } from '../lib/header-reader.ts';

/** The end user and the session that a request belongs to, as its client names them. */
export type EndUser = { user: string | undefined; session: string | undefined };

const MAX_LENGTH = 256;
const MAX_JSON_LENGTH = 1_024;
const USER_HEADER = 'x-openwebui-user-id';
const SESSION = '_session_';
const EMPTY_ACCOUNT = /_account_$/;

/** Returns a text with a bound of its length, or undefined for an empty text or another value. */
const boundedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_LENGTH) : undefined;

/**
 * Reads user and session from Open WebUI's headers, from `metadata.user_id`, from `safety_identifier` and
 * from `user`, in this order. Claude Code sends both in `metadata.user_id`.
 */
export function readEndUser(headers: HeaderReader, body: Readonly<Record<string, unknown>>): EndUser {
  const userId = textOf(objectOf(body['metadata'])['user_id']);
  const both = userId === undefined ? undefined : splitUserId(userId);
  return {
    user: headerUser(headers) ?? boundedText(both?.user) ?? namedUser(body),
    session: boundedText(headers.get('x-openwebui-chat-id')) ?? boundedText(both?.session),
  };
}

/** Returns the user of Open WebUI. */
export const headerUser = (headers: HeaderReader): string | undefined =>
  boundedText(headers.get(USER_HEADER));

/** Reads the end user that a body names, as `readEndUser` does. */
export function bodyUser(body: Readonly<Record<string, unknown>>): string | undefined {
  const userId = textOf(objectOf(body['metadata'])['user_id']);
  return (userId === undefined ? undefined : boundedText(splitUserId(userId).user)) ?? namedUser(body);
}

const namedUser = (body: Readonly<Record<string, unknown>>): string | undefined =>
  boundedText(body['safety_identifier']) ?? boundedText(body['user']);

/**
 * Splits `user_…_account_…_session_…`, or the JSON object that later versions of Claude Code send in its
 * place.
 */
function splitUserId(text: string): { user: unknown; session: unknown } {
  const at = text.lastIndexOf(SESSION);
  if (at > 0) {
    return {
      user: text.slice(0, at).replace(EMPTY_ACCOUNT, ''),
      session: text.slice(at + SESSION.length),
    };
  }
  const { session_id: session, account_uuid: account, device_id: device } = objectOf(jsonIn(text));
  if (session === undefined) return { user: text, session: undefined };
  return { user: boundedText(account) ?? device, session };
}

function jsonIn(text: string): unknown {
  if (!text.startsWith('{') || text.length >= MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
