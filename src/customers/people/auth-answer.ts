import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary, AuthView } from './auth-library.ts';
import type { Auth } from './create-auth.ts';
import { USED_CODE } from './used-codes.ts';

/** An answer of the sign-in library. */
export type AuthAnswer = { status: number; body: Readonly<Record<string, unknown>>; cookies: string[] };

type KnownRefusal = { code: ErrorCode; message: string; param?: string };

const wrongPassword: KnownRefusal = {
  code: 'invalid_request',
  param: 'password',
  message: 'The email address or the password is wrong, or the address is not verified yet.',
};
export const wrongLink: KnownRefusal = {
  code: 'invalid_request',
  message: 'This link is not valid or has expired. Ask for a new one.',
};
const wrongCode: KnownRefusal = { code: 'invalid_request', message: 'The code is wrong.', param: 'code' };

/**
 * The refusals for the error codes of the library.
 * Several share one, so that an answer does not reveal whether an address is known.
 */
const refusals: Readonly<Record<string, KnownRefusal>> = {
  INVALID_EMAIL_OR_PASSWORD: wrongPassword,
  EMAIL_NOT_VERIFIED: wrongPassword,
  USER_NOT_FOUND: wrongPassword,
  CREDENTIAL_ACCOUNT_NOT_FOUND: wrongPassword,
  INVALID_PASSWORD: { code: 'invalid_request', message: 'The password is wrong.', param: 'password' },
  INVALID_EMAIL: { code: 'invalid_request', message: 'email is not an email address.', param: 'email' },
  PASSWORD_TOO_SHORT: { code: 'invalid_request', message: 'The password is too short.', param: 'password' },
  PASSWORD_TOO_LONG: { code: 'invalid_request', message: 'The password is too long.', param: 'password' },
  INVALID_TOKEN: wrongLink,
  TOKEN_EXPIRED: wrongLink,
  INVALID_CODE: wrongCode,
  [USED_CODE]: {
    code: 'invalid_request',
    param: 'code',
    message: 'This code was used already. Wait for the next one.',
  },
  INVALID_BACKUP_CODE: wrongCode,
  OTP_HAS_EXPIRED: wrongCode,
  INVALID_TWO_FACTOR_COOKIE: {
    code: 'invalid_request',
    message: 'The sign-in took too long. Enter the email address and the password again.',
  },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    code: 'rate_limit_exceeded',
    message: 'Too many wrong codes were entered. Sign in again later.',
  },
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: 'rate_limit_exceeded',
    message: 'Too many wrong codes were entered. Sign in again later.',
  },
};

/** Reads an answer. A refusal of the library becomes one of the gateway, without the library's words. */
export async function readAuthAnswer(response: Response): Promise<AuthAnswer | Refusal> {
  const text = await response.text();
  const body = text === '' ? {} : ((JSON.parse(text) ?? {}) as AuthAnswer['body']);
  if (response.status < 400)
    return { status: response.status, body, cookies: response.headers.getSetCookie() };
  if (response.status >= 500)
    throw new Error(`the sign-in library failed: ${String(body.code ?? response.status)}`);
  const refusal = lookUp(refusals, String(body.code));
  if (!refusal) return new Refusal('invalid_request', { cause: body.code });
  return new Refusal(refusal.code, { message: refusal.message, param: refusal.param ?? null });
}

type Api = Auth['api'];
/** A call of the library's API. */
export type AuthCall = (api: Api, options: { headers: Headers; asResponse: true }) => Promise<Response>;

/** Calls the sign-in library for a browser. */
export async function callAuth(
  library: AuthLibrary,
  { origin, headers }: AuthCaller,
  call: AuthCall,
  view?: AuthView,
): Promise<AuthAnswer | Refusal> {
  const auth = await library.at(origin, view);
  try {
    return await readAuthAnswer(await call(auth.api, { headers, asResponse: true }));
  } catch (error) {
    // The queue for hashing refuses inside the library.
    if (error instanceof Refusal) return error;
    throw error;
  }
}
