import { Refusal } from './refusal.ts';

/** Returns the refusal of a field that the chosen model cannot serve. */
export const unqualifiedParam = (param: string, problem: string): Refusal =>
  new Refusal('route_not_qualified', { param, message: `${param}: ${problem}` });
