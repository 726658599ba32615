import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';

/** Builds the refusal for a response that this key does not have. It names no id except the one that the client sent. */
export const responseNotFound = (id: string): Refusal =>
  new Refusal('not_found', {
    param: 'previous_response_id',
    message: `There is no response '${printable(id, 80)}': it is unknown, was not stored, was deleted or has expired.`,
  });
