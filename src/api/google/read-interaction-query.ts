import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { eventNumber } from '../../translation/protocols/interactions/interaction-events.ts';

/** `after`: the number of events that the client has. Undefined if it does not ask for a stream. */
export type InteractionQuery = { after: number | undefined; includesInput: boolean };

/** Reads the query of a stored interaction, or refuses an invalid parameter. */
export function readInteractionQuery({ query }: Exchange): InteractionQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const flag = (name: string): boolean | Refusal => {
    const value = parameters.get(name) || 'false';
    if (value !== 'true' && value !== 'false') return invalidParam(name, 'must be true or false.');
    return value === 'true';
  };
  const stream = flag('stream');
  if (stream instanceof Refusal) return stream;
  const includesInput = flag('include_input');
  if (includesInput instanceof Refusal) return includesInput;
  const last = parameters.get('last_event_id') || undefined;
  if (!stream)
    return last === undefined
      ? { after: undefined, includesInput }
      : invalidParam('last_event_id', 'needs stream=true.');
  const after = last === undefined ? 0 : eventNumber(last);
  return after === undefined
    ? invalidParam('last_event_id', 'must be the event_id of an event of this stream.')
    : { after, includesInput: false };
}
