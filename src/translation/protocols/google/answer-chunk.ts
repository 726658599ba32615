import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { CountedText } from '../../canonical/counted-text.ts';

/** Returns the candidates of a chunk or of a whole answer. */
export const candidatesOf = ({ candidates }: JsonObject): JsonObject[] => listOf(candidates).map(objectOf);

/** Returns the parts of a candidate. */
export const partsOf = ({ content }: JsonObject): JsonObject[] =>
  listOf(objectOf(content).parts).map(objectOf);

/** Adds what the model wrote: its texts, and the arguments of its calls. */
export function addAnswerText(answerText: CountedText, candidate: JsonObject): void {
  for (const { text, functionCall } of partsOf(candidate)) {
    if (typeof text === 'string') answerText.add(text);
    if (isObject(functionCall)) answerText.add(JSON.stringify(functionCall.args ?? {}));
  }
}
