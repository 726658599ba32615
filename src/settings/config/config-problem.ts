import { asSentence } from '../../base/lib/as-sentence.ts';

/** A problem in a configuration. Messages never contain secrets. */
export type ConfigProblem = {
  /** `null` means that the value comes from the environment or the command line. */
  file: string | null;
  line: number | null;
  column: number | null;
  /** Path of the field or name of the variable. It is empty if the problem concerns the whole file. */
  field: string;
  message: string;
};

/** Formats a problem like `tollgate.yaml:12:5 providers[0].wire: must be one of ….` */
export function formatProblem({ file, line, column, field, message }: ConfigProblem): string {
  const sentence = asSentence(field === '' ? message : `${field}: ${message}`);
  if (file === null) return sentence;
  return line === null ? `${file}: ${sentence}` : `${file}:${line}:${column} ${sentence}`;
}
