import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { hasUsableHost } from './has-usable-host.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

/**
 * Finds an address without a usable host or port. The message omits the address, which may contain a secret.
 */
export const addressProblems = (address: string | null, path: ProblemPath): SchemaProblem[] =>
  problemIf(
    address !== null && !hasUsableHost(address),
    path,
    'must have a valid host and, if it has a port, one from 1 to 65535',
  );
