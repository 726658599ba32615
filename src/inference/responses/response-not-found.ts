import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';

/** For whoever reads or continues a response that this key has not. It names no id but the one that was sent. */
export const responseNotFound = (id: string): Refusal =>
  new Refusal('not_found', {
    param: 'previous_response_id',
    message: `There is no response '${printable(id, 80)}': it is unknown, was not stored, was deleted or has expired.`,
  });
