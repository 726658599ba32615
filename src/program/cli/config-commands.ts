import { type ConfigProblem, formatProblem } from '../../settings/config/config-problem.ts';
import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { publishedCatalogSchema, publishedSchema } from '../../settings/config/published-schema.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { findConfigProblems } from './find-config-problems.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';

export const checkConfig: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.positional('FILE') ?? invocation.text('config'), environment);
  if (file === null) throw new UsageError('FILE is missing, and TOLLGATE_CONFIG is not set');
  return reportProblems(invocation, { file, problems: await findConfigProblems(file, environment) });
};

export const printSchema: Run = async (invocation) => {
  printJson(invocation, invocation.flag('catalog') ? publishedCatalogSchema() : publishedSchema());
  return 0;
};

/** Prints one line for each problem to standard error, or all problems as JSON to standard output. */
export function reportProblems(
  invocation: Invocation,
  { file, problems }: { file: string; problems: readonly ConfigProblem[] },
): number {
  const isFine = problems.length === 0;
  if (invocation.flag('json')) printJson(invocation, { file, ok: isFine, problems });
  else if (isFine) invocation.terminal.print(`${file} is valid.`);
  else for (const problem of problems) invocation.terminal.remark(formatProblem(problem));
  return isFine ? 0 : 1;
}
