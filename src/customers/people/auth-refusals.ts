import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';
import { USED_CODE } from './used-codes.ts';

type KnownRefusal = { code: ErrorCode; message: string; param?: string };

const wrongPassword: KnownRefusal = {
  code: 'invalid_request',
  param: 'password',
  message: 'The email address or the password is wrong, or the address is not verified yet.',
};
const wrongLink: KnownRefusal = {
  code: 'invalid_request',
  message: 'This link is not valid or has expired. Ask for a new one.',
};
const wrongCode: KnownRefusal = { code: 'invalid_request', message: 'The code is wrong.', param: 'code' };

/**
 * The refusals for the error codes of the library. Several share one, so that an answer does not reveal
 * whether an address is known.
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

const refusalFor = ({ code, message, param }: KnownRefusal): Refusal =>
  new Refusal(code, { message, param: param ?? null });

/** Returns the refusal for an error code of the library. */
export function refusalOfAuth(code: unknown): Refusal {
  const known = lookUp(refusals, String(code));
  return known ? refusalFor(known) : new Refusal('invalid_request', { cause: code });
}

/** Refuses a link that was used or has expired. */
export const linkGone = (): Refusal => refusalFor(wrongLink);
