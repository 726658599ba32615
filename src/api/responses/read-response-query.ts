import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';

/** `after`: the last event that the client has. Undefined if the client does not ask for a stream. */
export type ResponseQuery = { after: number | undefined };

/** The place before the first event, whose number is 0. */
const BEFORE_FIRST = -1;

/** Reads the query of a stored response, or refuses an invalid parameter. */
export function readResponseQuery(query: string): ResponseQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const stream = parameters.get('stream') ?? 'false';
  if (stream !== 'true' && stream !== 'false') return invalidParam('stream', "must be 'true' or 'false'.");
  const after = parameters.get('starting_after');
  if (stream === 'false')
    return after === null ? { after: undefined } : invalidParam('starting_after', 'needs stream=true.');
  if (after !== null && !/^\d{1,15}$/.test(after))
    return invalidParam('starting_after', 'must be the sequence_number of an event.');
  return { after: after === null ? BEFORE_FIRST : Number(after) };
}
