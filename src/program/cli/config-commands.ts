import { asSentence } from '../../base/lib/as-sentence.ts';
import { type ConfigProblem, formatProblem } from '../../settings/config/config-problem.ts';
import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { publishedCatalogSchema, publishedSchema } from '../../settings/config/published-schema.ts';
import { type Checked, checkConfiguration } from './check-configuration.ts';
import { coloured } from './colour.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';

export const checkConfig: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.positional('FILE') ?? invocation.text('config'), environment);
  if (file === null) throw new UsageError('FILE is missing, and TOLLGATE_CONFIG is not set');
  return reportChecked(invocation, file, await checkConfiguration({ file, environment }));
};

export const printSchema: Run = async (invocation) => {
  printJson(invocation, invocation.flag('catalog') ? publishedCatalogSchema() : publishedSchema());
  return 0;
};

const withFullStop = (problem: ConfigProblem) => ({ ...problem, message: asSentence(problem.message) });

/**
 * Prints a line for each problem to standard error and for each warning to standard
 * output, or all of them as JSON.
 */
export function reportChecked(
  invocation: Invocation,
  file: string,
  { problems, warnings }: Checked,
  more: object = {},
): number {
  const isFine = problems.length === 0;
  const { terminal } = invocation;
  if (invocation.flag('json')) {
    const all = { problems: problems.map(withFullStop), warnings: warnings.map(withFullStop) };
    printJson(invocation, { file, ok: isFine, ...all, ...more });
  } else {
    for (const problem of problems) terminal.remark(formatProblem(problem));
    for (const warning of warnings)
      terminal.print(`${coloured(terminal, 'yellow', 'warn')} ${formatProblem(warning)}`);
    if (isFine) terminal.print(`${file} is valid.`);
  }
  return isFine ? 0 : 1;
}
