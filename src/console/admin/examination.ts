/** One line of the examination of a server. `mend` is the suggested fix. */
export type ServerFinding = {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  mend: string | null;
};

/** The findings about a server. `configFile` is null without a file. */
export type Examination = { configFile: string | null; findings: readonly ServerFinding[] };
