/** The problems of RFC 8628 and RFC 6749 that a client can get. */
export type GrantProblem =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant';

/** The reasons why a client gets no key. */
export class GrantRefusal {
  readonly error: GrantProblem;
  readonly description: string;

  constructor(error: GrantProblem, description: string) {
    this.error = error;
    this.description = description;
  }
}

/** A key that a client was given for this time. Its secret is known only now. */
export type ClientGrant = { secret: string; refreshToken: string; email: string; keyMs: number };

/** The lifetimes of keys, of refresh tokens, and of the sign-in that they belong to. */
export type ClientTimes = { keyMs: number; refreshMs: number; signInMs: number };

/** Shortens the lifetimes so that the key and the refresh token end with their sign-in. */
export const endWithSignIn = (times: ClientTimes, leftMs: number): ClientTimes => ({
  ...times,
  keyMs: Math.min(times.keyMs, leftMs),
  refreshMs: Math.min(times.refreshMs, leftMs),
});

/** A client that shows a code to its user. Both codes are known only now. */
export type DeviceCodes = { deviceCode: string; userCode: string };

export const DEVICE_CODE_S = 600;
/** The least time between two questions of a client. */
export const POLL_S = 5;
