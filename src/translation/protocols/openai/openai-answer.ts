import type { JsonObject } from '../../../base/json/json-body.ts';
import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { parseObject, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { jsonString } from '../../framing/json-string.ts';
import { isFailedFinish } from '../chat-completions/stop.ts';
import { fillChoices } from './fill-choices.ts';
import { flattenContent } from './flatten-content.ts';
import { findUsage } from './openai-usage.ts';
import { readUpstreamError } from './read-upstream-error.ts';
import { shownUsage } from './shown-usage.ts';

/** A choice of a chunk or of a whole answer, with what hosts add to it. */
export type OpenaiChoice = {
  index?: number;
  delta?: Record<string, unknown>;
  message?: unknown;
  /** The text of a legacy completion. */
  text?: unknown;
  finish_reason?: unknown;
  logprobs?: unknown;
  error?: unknown;
  /** The usage, on hosts that report it in a choice. */
  usage?: unknown;
};
/** A chunk of a stream or a whole answer. */
export type Chunk = {
  choices?: OpenaiChoice[];
  usage?: unknown;
  error?: unknown;
  object?: unknown;
  created?: unknown;
  system_fingerprint?: unknown;
  service_tier?: unknown;
};

export type ChunkWithChoices = Chunk & { choices: OpenaiChoice[] };

const FINGERPRINT = /^fp_[0-9a-f]+$/;

/** Parses a chunk or a whole answer. Throws if it reports a failure, or has no choices. */
export function parseChunk(text: string): ChunkWithChoices {
  const answer = parseObject(text);
  if (answer.error != null) throw new RefusedAnswer(readUpstreamError(answer.error));
  if (!hasChoices(answer)) throw new SyntaxError('the answer has no choices');
  return answer;
}

const hasChoices = (answer: JsonObject): answer is JsonObject & { choices: OpenaiChoice[] } =>
  Array.isArray(answer.choices) && answer.choices.every(isObject);

/**
 * Sets the gateway's own labels and the shown usage, and removes fields in which hosts describe themselves.
 */
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

/**
 * Throws if a choice reports a failure.
 * Routers answer 200 and report in a choice that their own upstream failed.
 */
export function refuseFailed({ error, finish_reason }: OpenaiChoice): void {
  if (error != null || (typeof finish_reason === 'string' && isFailedFinish(finish_reason)))
    throw new RefusedAnswer(readUpstreamError(error ?? finish_reason));
}

/** Returns the choices without the usage that some hosts put there. Usage that is not billed is not shown. */
export const choicesWithoutUsage = (choices: readonly OpenaiChoice[]): string | undefined =>
  choices.some(({ usage }) => usage != null)
    ? JSON.stringify(choices.map(({ usage, ...choice }) => choice))
    : undefined;

/** Returns the members of a whole answer that some hosts omit. */
function missingHead({ object, created, choices }: ChunkWithChoices): JsonPatch | undefined {
  if (object !== undefined && created !== undefined) return undefined;
  const kind = choices.some(({ message }) => isObject(message)) ? 'chat.completion' : 'text_completion';
  return {
    object: object === undefined ? jsonString(kind) : undefined,
    created: created === undefined ? String(unixSeconds()) : undefined,
  };
}

/** Patches the upstream's own text of a whole answer. Throws if it reports a failure, or is not an answer. */
export function patchAnswer(text: string, label: AnswerLabel, { answers = 1 }: InferenceRequest) {
  const answer = parseChunk(text);
  for (const choice of answer.choices) {
    refuseFailed(choice);
    if (!isObject(choice.message) && textOf(choice.text) === undefined)
      throw new SyntaxError('a choice has no content');
  }
  // At least one choice is required. Some hosts silently ignore `n`;
  // the gateway then requests the answers one by one.
  if (answer.choices.length < answers) throw new SyntaxError('the response has fewer answers than requested');
  const flat = flattenContent(answer.choices);
  const choices = flat ?? answer.choices;
  const usage = usageOfWhole(findUsage(answer), choices, label.estimate);
  const billed = billedUsage(usage, label.estimate);
  const shown = billed.isImplausible ? choicesWithoutUsage(choices) : undefined;
  const changed = shown ?? (flat && JSON.stringify(flat));
  const filled = fillChoices(
    choices,
    () => changed ?? sliceJson(text, ['choices']) ?? JSON.stringify(choices),
  );
  const patch = {
    ...labelPatch(label, answer, shownUsage(answer.usage, billed)),
    ...missingHead(answer),
    choices: filled ?? changed,
  };
  return { text: patchKnown(text, answer, patch), usage };
}
