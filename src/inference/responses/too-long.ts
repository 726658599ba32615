import { Refusal } from '../../base/errors/refusal.ts';

export const OVER_LIMIT = 'The conversation is over 10 MB long.';

/** Builds the refusal of a request that is too long with everything that it continues or refers to. */
export const tooLong = (message: string, param = 'previous_response_id'): Refusal =>
  new Refusal('context_length_exceeded', { param, message });
