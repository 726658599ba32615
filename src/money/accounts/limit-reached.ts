import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses another row of an organization. Rows beyond a limit that was lowered stay. */
export const limitReached = (what: string, limit: number): Refusal =>
  new Refusal('limit_reached', { message: `The organization may have at most ${limit} ${what}.` });
