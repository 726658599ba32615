import { Refusal } from './refusal.ts';

/** Returns the refusal of a field. The problem follows its path in the message. */
export const invalidParam = (param: string, problem: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${problem}` });
