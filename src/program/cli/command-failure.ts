/** A command failed. The message is one line for standard error. The exit code is 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  /** The status of the server's answer. Undefined if the server did not refuse the call. */
  readonly status: number | undefined;
  /** The members of the server's error. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(message: string, status?: number, fields: CommandFailure['fields'] = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** The command line is invalid. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
