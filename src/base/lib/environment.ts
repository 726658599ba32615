/**
 * The variables of the process. Where secrets are mounted as files (`withSecretFiles`), reading a variable
 * throws `Unavailable` if its file cannot be read.
 */
export type Environment = Readonly<Record<string, string | undefined>>;
