function readFirstLine(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { timeout: 5_000 });
  return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
}

/** Returns the version in a line, or the whole line. */
const versionIn = (line: string) => /\d+\.\d+[\w.+-]*/.exec(line)?.[0] ?? line;

/** Returns the version in the first line that a command prints. */
export const readVersion = (command: string[]): string => versionIn(readFirstLine(command));
