import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { inputTotal, outputTotal, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { jsonString } from '../../framing/json-string.ts';
import { encodeUsage } from './encode-usage.ts';
import { usageOf } from './reported-counts.ts';
import { addCounts, hasValidCounts } from './usage.ts';

/**
 * Returns the vendor's own text with the gateway's id and the client's model name, and with `usage` if the
 * vendor's is not the billed one.
 */
export const labelChunk = (text: string, chunk: JsonObject, { label, usage }: ShownNames): string =>
  patchKnown(text, chunk, {
    modelVersion: chunk.modelVersion === undefined ? undefined : jsonString(label.model),
    responseId: chunk.responseId === undefined ? undefined : jsonString(label.id),
    usageMetadata: usage && JSON.stringify(encodeUsage(usage)),
  });

type ShownNames = { label: AnswerLabel; usage: Usage | undefined };

/** Returns the billed usage if the chunk's own report differs from it, so that the client sees it. */
export function unlessShown({ usageMetadata }: JsonObject, billed: Usage): Usage | undefined {
  const own = usageOf(addCounts({}, usageMetadata));
  const isShown =
    own !== undefined &&
    hasValidCounts(usageMetadata) &&
    inputTotal(own) === inputTotal(billed) &&
    outputTotal(own) === outputTotal(billed);
  return isShown ? undefined : billed;
}
