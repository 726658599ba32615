/** The output streams and the environment of a command. */
export type Terminal = {
  /** Writes data to standard output. */
  print(text: string): void;
  /** Writes errors and notes to standard error. */
  remark(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
};

export const processTerminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  remark: (text) => void process.stderr.write(`${text}\n`),
  environment: process.env,
};
