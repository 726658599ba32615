/** Where a command writes and what it knows of its surroundings. */
export type Terminal = {
  /** To standard output: data. */
  print(text: string): void;
  /** To standard error: reasons and remarks. */
  remark(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
};

export const processTerminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  remark: (text) => void process.stderr.write(`${text}\n`),
  environment: process.env,
};
