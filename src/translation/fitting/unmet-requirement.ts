import type { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';

/** Refuses a request with a requirement that the chosen model does not meet. */
export const unmetRequirement = (param: string, problem: string): Refusal =>
  unqualifiedParam(param, `the chosen model ${problem}`);
