import { messageOfError } from '../../../base/lib/message-of-error.ts';
import { postgresProblem } from '../../../store/postgres/postgres-problem.ts';
import { StoreProblem } from '../../../store/store-problem.ts';
import { type Finding, fail } from './finding.ts';

const CHECK = 'store';

/** Returns the finding of an examination that failed. */
export function failureOfPostgres(error: unknown): Finding {
  const problem = postgresProblem(error);
  if (problem instanceof StoreProblem) return fail(CHECK, problem.message, problem.hint);
  return fail(CHECK, `Postgres cannot be examined: ${messageOfError(problem)}`, 'check the database server');
}
