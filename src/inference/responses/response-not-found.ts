import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';
import type { KeptForm } from '../../translation/contract/kept-form.ts';
import { storedResponses } from '../../translation/protocols/responses/stored-responses.ts';

type ResponseNoun = Pick<KeptForm, 'previous' | 'noun'>;

/**
 * Builds the refusal for a response that this key does not have. It names no id except the one that the
 * client sent.
 */
export const responseNotFound = (id: string, { previous, noun }: ResponseNoun = storedResponses): Refusal =>
  new Refusal('not_found', {
    param: previous,
    message: `There is no ${noun} '${printable(id, 80)}': it is unknown, was not stored, was deleted or has expired.`,
  });
