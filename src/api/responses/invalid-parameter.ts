import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses a parameter of a query. `problem` continues a sentence that begins with its name. */
export const invalidParameter = (param: string, problem: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${problem}` });
