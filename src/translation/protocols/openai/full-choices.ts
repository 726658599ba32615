import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject } from '../../../base/lib/is-object.ts';

type Choice = { index?: number; message?: unknown; logprobs?: unknown };

/**
 * Returns the choices of a whole answer with the members that the vendor always sends. Returns undefined if
 * no choice lacks one.
 */
export const fullChoices = <C extends Choice>(choices: readonly C[]): C[] | undefined =>
  choices.every(isFull) ? undefined : choices.map(fullChoice);

const isFull = ({ index, logprobs, message }: Choice): boolean =>
  index !== undefined && logprobs !== undefined && (!isObject(message) || isFullMessage(message));

const isFullMessage = ({ role, content, refusal }: JsonObject): boolean =>
  role !== undefined && content !== undefined && refusal !== undefined;

const fullChoice = <C extends Choice>(choice: C, place: number): C => ({
  index: place,
  ...choice,
  ...(isObject(choice.message) && {
    message: { role: 'assistant', content: null, refusal: null, ...choice.message },
  }),
  logprobs: choice.logprobs ?? null,
});
