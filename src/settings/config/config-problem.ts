/** Something wrong with a configuration. No message shows a secret. */
export type ConfigProblem = {
  /** Null: not from a file but from the environment or the command line. */
  file: string | null;
  line: number | null;
  column: number | null;
  /** Path of the field, or the name of a variable; empty for the file as a whole. */
  field: string;
  message: string;
};

/** `tollgate.yaml:12:5 providers[0].wire: must be one of …` */
export function formatProblem({ file, line, column, field, message }: ConfigProblem): string {
  const said = field === '' ? message : `${field}: ${message}`;
  if (file === null) return said;
  return line === null ? `${file}: ${said}` : `${file}:${line}:${column} ${said}`;
}
