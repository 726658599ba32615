/** The problems of RFC 8628 and RFC 6749 that a client can get. */
export type GrantProblem =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant';

/** The reason why a client gets no key. */
export class GrantRefusal {
  readonly error: GrantProblem;
  readonly description: string;

  constructor(error: GrantProblem, description: string) {
    this.error = error;
    this.description = description;
  }
}
