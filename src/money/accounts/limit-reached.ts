import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses another row of an organization. `kind` names such rows in the plural. */
export const limitReached = (kind: string, limit: number): Refusal =>
  new Refusal('limit_reached', { message: `The organization may have at most ${limit} ${kind}.` });
