import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { jsonString } from '../../framing/json-string.ts';
import type { ResponseObject } from './envelope.ts';
import { refusalOf } from './refusal-of.ts';
import { encodeUsage, usageOfResponse } from './usage.ts';

const isCompaction = (item: unknown): boolean => objectOf(item).type === 'compaction';

/**
 * Returns the compaction that an answer holds, without the members of a response.
 * Throws if the model wrote no summary.
 */
export function compactionObject({ id, created_at, output, usage }: ResponseObject) {
  const items = output.filter(isCompaction);
  if (items.length === 0) throw new SyntaxError('the answer has no summary');
  return { id, object: 'response.compaction', created_at, output: items, usage };
}

/** Patches a vendor's compaction: sets the gateway's id and the billed usage. */
export function patchCompaction(text: string, answer: JsonObject, label: AnswerLabel): WholeAnswer {
  if (isObject(answer.error)) throw new RefusedAnswer(refusalOf(answer.error));
  if (!listOf(answer.output).some(isCompaction)) throw new SyntaxError('the answer has no compaction');
  const usage = usageOfWhole(usageOfResponse(answer), answer.output, label.estimate);
  const billed = billedUsage(usage, label.estimate);
  const isSaid = !usage.isEstimated && billed === usage && isObject(answer.usage);
  return {
    text: patchKnown(text, answer, {
      id: jsonString(label.id),
      object: '"response.compaction"',
      ...(typeof answer.created_at !== 'number' && { created_at: String(unixSeconds()) }),
      ...(!isSaid && { usage: JSON.stringify(encodeUsage(billed)) }),
    }),
    usage,
  };
}
