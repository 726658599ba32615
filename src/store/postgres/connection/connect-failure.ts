/** The server of each host of the target refused writes, or none could be reached. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
