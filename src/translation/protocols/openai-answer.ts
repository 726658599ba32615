import { type JsonPatch, patchKnown } from '../../base/json/patch-json.ts';
import { isObject, textOf } from '../../base/json/read-json.ts';
import { billedUsage, usageOfWhole } from '../canonical/estimate-usage.ts';
import type { AnswerLabel } from './answer-label.ts';
import type { InferenceRequest } from './inference-request.ts';
import { jsonString } from './json-string.ts';
import { readUpstreamError } from './openai-error.ts';
import { findUsage } from './openai-usage.ts';
import { RefusedAnswer } from './refused-answer.ts';
import { shownUsage } from './shown-usage.ts';

export type OpenaiChoice = {
  index?: number;
  delta?: Record<string, unknown>;
  message?: unknown;
  /** Of legacy completions. */
  text?: unknown;
  finish_reason?: unknown;
  error?: unknown;
  /** Where some hosts count. */
  usage?: unknown;
};
export type Chunk = {
  choices?: OpenaiChoice[];
  usage?: unknown;
  error?: unknown;
  object?: unknown;
  created?: unknown;
  system_fingerprint?: unknown;
};

const FINGERPRINT = /^fp_[0-9a-f]+$/;

/** Our own labels, and the usage as it is shown; out go the fields in which hosts of this wire speak of themselves. */
export const labelPatch = (
  { id, model }: AnswerLabel,
  { system_fingerprint }: Chunk,
  usage: string | null | undefined,
): JsonPatch => ({
  id: `"${id}"`, // letters, digits and dashes
  model: jsonString(model),
  provider: null,
  x_groq: null,
  system_fingerprint: speaksOfHost(system_fingerprint) ? null : undefined,
  usage,
});

const speaksOfHost = (fingerprint: unknown): boolean =>
  typeof fingerprint === 'string' && !FINGERPRINT.test(fingerprint);

/** Routers answer 200 and say in a choice that their own upstream has failed. */
export function refuseFailed({ error, finish_reason }: OpenaiChoice): void {
  if (error != null || finish_reason === 'error') throw new RefusedAnswer(readUpstreamError(error));
}

/** Some hosts count in a choice. What is not billed is not shown there either. */
export const choicesWithoutUsage = (choices: readonly OpenaiChoice[]): string | undefined =>
  choices.some(({ usage }) => usage != null)
    ? JSON.stringify(choices.map(({ usage, ...choice }) => choice))
    : undefined;

export function patchAnswer(text: string, label: AnswerLabel, { answers = 1 }: InferenceRequest) {
  const answer = JSON.parse(text) as Chunk;
  if (answer.error != null) throw new RefusedAnswer(readUpstreamError(answer.error));
  if (!Array.isArray(answer.choices)) throw new SyntaxError('an answer without choices');
  for (const choice of answer.choices) {
    refuseFailed(choice);
    if (!isObject(choice.message) && textOf(choice.text) === undefined)
      throw new SyntaxError('a choice that says nothing');
  }
  // One is the least. Some hosts pass over `n` in silence: what they owe is asked for in parts.
  if (answer.choices.length < answers) throw new SyntaxError('fewer answers than asked for');
  const usage = usageOfWhole(findUsage(answer), answer.choices, label.estimate);
  const billed = billedUsage(usage, label.estimate);
  const patch = {
    ...labelPatch(label, answer, shownUsage(answer.usage, billed)),
    ...(billed.isImplausible && { choices: choicesWithoutUsage(answer.choices) }),
  };
  return { text: patchKnown(text, answer, patch), usage };
}
