import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { isKept } from '../is-kept.ts';
import { type EnvelopeTerms, patchEnvelope } from './patch-envelope.ts';
import { refusalOf } from './refusal-of.ts';
import { usageOfResponse } from './usage.ts';

const failed = new Set(['failed', 'cancelled']);

/** The status of an answer that has ended. Some hosts omit it. */
const ended = new Set(['completed', 'incomplete', undefined]);

/** Patches the upstream's own text of a whole response. Throws if the response failed or is not an answer. */
export function patchAnswer(text: string, terms: EnvelopeTerms): WholeAnswer {
  const response = parseObject(text);
  checkAnswer(response);
  if (typeof response.id === 'string') terms.label.reportId?.(response.id);
  const usage = usageOfWhole(usageOfResponse(response), response.output, terms.label.estimate);
  const billed = billedUsage(usage, terms.label.estimate);
  const answer = patchEnvelope({ text, value: response }, terms, { usage: billed });
  return { text: answer.envelope, usage, ...(isKept(terms.requestBody) && { answer }) };
}

function checkAnswer({ status, error, output }: JsonObject): void {
  if (isObject(error) || failed.has(textOf(status) ?? '')) throw new RefusedAnswer(refusalOf(error));
  if (!Array.isArray(output)) throw new SyntaxError('the answer has no output');
  if (!ended.has(textOf(status))) throw new SyntaxError('the answer is not finished');
}
