import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { billedUsage } from '../../canonical/estimate-usage.ts';
import { inputTotal, outputTotal, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { FinishedAnswer } from '../../contract/finished-answer.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { sealContinuation } from '../../encoding/continuation-token.ts';
import { jsonString } from '../../framing/json-string.ts';
import { usageOf } from '../google/reported-counts.ts';
import { isKept } from '../is-kept.ts';
import { addCounts } from './add-counts.ts';
import { encodeUsage } from './encode-usage.ts';
import { isEnd, stopOf } from './stop.ts';

/** The values that the gateway sets on an interaction that passes. */
export type PassingTerms = { label: AnswerLabel; request: InferenceRequest };

/** Returns the names of an interaction, as a patch of its object. */
export function namesPatch({ label, request }: PassingTerms): Record<string, string | null> {
  const previous = request.body.value.previous_interaction_id;
  return {
    id: jsonString(label.id),
    model: jsonString(label.model),
    previous_interaction_id: typeof previous === 'string' ? jsonString(previous) : null,
    environment_id: null,
  };
}

/** Returns a vendor's token as the client gets it. Without a key to seal it with it is not passed on. */
export function sealedToken(token: unknown, { label, request }: PassingTerms): string | null {
  const { recapKey } = label;
  const { keyId, model } = request;
  if (typeof token !== 'string' || recapKey === undefined || keyId === undefined) return null;
  return jsonString(sealContinuation({ keyId, model, token }, recapKey));
}

/** Throws if an interaction has failed, or has not ended. */
export function checkEnd({ status, errors }: JsonObject): void {
  const word = textOf(status) ?? '';
  if (!isEnd(word)) throw new SyntaxError('the interaction has not ended');
  const end = stopOf(word, { errors: listOf(errors), hasCalled: false });
  if ('refusal' in end) throw new RefusedAnswer(end.refusal);
}

type Finishing = {
  /** The vendor's own text of the interaction. */
  text: string;
  interaction: JsonObject;
  /** The texts of the steps, if the vendor's text lacks them. */
  steps: readonly string[];
  usage: Usage;
};

/** Returns a finished interaction as the client gets it, and as it is stored. */
export function finishInteraction(
  { text, interaction, steps, usage }: Finishing,
  terms: PassingTerms,
): FinishedAnswer {
  const billed = billedUsage(usage, terms.label.estimate);
  const sent = Array.isArray(interaction.steps) ? sliceJson(text, ['steps']) : undefined;
  const items = sent ?? jsonList(steps);
  const envelope = patchText(text, {
    ...namesPatch(terms),
    object: '"interaction"',
    continuation_token: sealedToken(interaction.continuation_token, terms),
    steps: items,
    output_text: jsonString(outputText(listOf(JSON.parse(items)))),
    ...(!saysBilled(interaction, billed) && { usage: JSON.stringify(encodeUsage(billed)) }),
  });
  return { envelope, items };
}

const outputText = (steps: readonly unknown[]): string =>
  steps
    .map(objectOf)
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => listOf(content).map(objectOf))
    .map(({ text }) => textOf(text) ?? '')
    .join('');

/** Reports whether the vendor's own report says what is billed. */
function saysBilled({ usage }: JsonObject, billed: Usage): boolean {
  const reported = usageOf(addCounts({}, usage));
  if (reported === undefined) return false;
  return inputTotal(reported) === inputTotal(billed) && outputTotal(reported) === outputTotal(billed);
}

/** Returns the answer to store, if the request wants it stored. */
export const keptAnswer = (answer: FinishedAnswer, { request }: PassingTerms): { answer?: FinishedAnswer } =>
  isKept(request.body.value) ? { answer } : {};
