/** Why a command could not do it, in one line for standard error. Ends the program with 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** The command was not written as its help says. Ends the program with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
