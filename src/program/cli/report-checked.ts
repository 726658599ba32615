import { asSentence } from '../../base/lib/as-sentence.ts';
import { type ConfigProblem, formatProblem } from '../../settings/config/config-problem.ts';
import type { Checked } from './check-configuration.ts';
import { coloured } from './colour.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';

const withFullStop = (problem: ConfigProblem) => ({ ...problem, message: asSentence(problem.message) });

/**
 * Prints a line for each problem to standard error and for each warning to standard output, or all of them as
 * JSON with `more` fields. Returns the exit code.
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
    const listed = { problems: problems.map(withFullStop), warnings: warnings.map(withFullStop) };
    printJson(invocation, { file, ok: isFine, ...listed, ...more });
  } else {
    for (const problem of problems) terminal.remark(formatProblem(problem));
    for (const warning of warnings)
      terminal.print(`${coloured(terminal, 'yellow', 'warn')} ${formatProblem(warning)}`);
    if (isFine) terminal.print(`${file} is valid.`);
  }
  return isFine ? 0 : 1;
}
