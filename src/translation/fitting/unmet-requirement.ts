import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses a request with a requirement that the chosen model does not meet. */
export const unmetRequirement = (param: string, problem: string): Refusal =>
  new Refusal('route_not_qualified', { param, message: `${param}: the chosen model ${problem}` });
