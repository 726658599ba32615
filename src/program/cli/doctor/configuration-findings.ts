import { type ConfigProblem, formatProblem } from '../../../settings/config/config-problem.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { asMessage } from './finding-text.ts';

const CHECK = 'configuration';

type ReadConfiguration = {
  problems: readonly ConfigProblem[];
  warnings: readonly ConfigProblem[];
  /** The message if there is no problem. */
  valid: string;
  /** The consequence of a problem. */
  otherwise: string;
};

/** Returns the findings of a configuration that was read: its problems, or its validity and its warnings. */
export function configurationFindings(read: ReadConfiguration): Finding[] {
  const { problems, warnings, valid, otherwise } = read;
  const mend = `correct the field; ${otherwise}`;
  if (problems.length > 0) return problems.map((problem) => fail(CHECK, messageOf(problem), mend));
  return [
    ok(CHECK, valid),
    ...warnings.map((warning) => warn(CHECK, messageOf(warning), 'correct the field if it is not meant')),
  ];
}

const messageOf = (problem: ConfigProblem): string => asMessage(formatProblem(problem));
