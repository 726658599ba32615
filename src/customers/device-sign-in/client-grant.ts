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
