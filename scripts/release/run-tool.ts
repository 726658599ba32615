/** Runs a program and returns its standard output. Throws its messages if it fails. */
export function runTool(directory: string, ...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: directory });
  if (!success) throw new Error(`${command.join(' ')} failed: ${stderr.toString().trim()}`);
  return stdout.toString();
}
