import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import {
  addAnswer,
  inputTotal,
  NO_USAGE,
  outputTotal,
  type Usage,
  usageOfTotals,
} from '../../canonical/usage.ts';
import { countOf } from '../../framing/count-of.ts';
import { readOpenaiDetail } from './read-openai-detail.ts';

/**
 * Reads the usage of this protocol's hosts into disjoint counts. Every host includes cached tokens in the
 * prompt's count. OpenAI and most others include reasoning in the completion's count. At xAI and Google only
 * the total includes it. `tier` is the tier that served the request.
 */
export function readUsage(value: unknown, tier?: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const prompt = countOf(value.prompt_tokens);
  if (prompt === undefined) return undefined;
  const { cacheRead, cacheWrite } = readCache(value);
  const { output, thinking } = readOutput(value, prompt);
  const usage = usageOfTotals({ input: prompt, cacheRead, cacheWrite, output, thinking });
  const { prompt_tokens_details: ofInput, completion_tokens_details: ofOutput } = value;
  const detail = readOpenaiDetail({ input: ofInput, output: ofOutput, tier });
  return detail ? { ...usage, detail } : usage;
}

/**
 * Finds the usage wherever a host of this protocol puts it: in the answer, in Groq's own field, or in its
 * choices. Each choice counts its own output, and all of them the same prompt.
 */
export function findUsage(answer: Fields): Usage | undefined {
  const reported = findWholeUsage(answer);
  const { choices, service_tier: tier } = answer;
  if (reported || !Array.isArray(choices)) return reported;
  let sum: Usage | undefined;
  for (const choice of choices) {
    const ofChoice = readUsage(objectOf(choice).usage, tier);
    if (ofChoice) sum = sum ? addAnswer(sum, ofChoice) : ofChoice;
  }
  return sum;
}

/** Finds usage that counts all choices of an answer. */
export const findWholeUsage = ({ usage, x_groq, service_tier: tier }: Fields): Usage | undefined =>
  readUsage(usage, tier) ?? readUsage(objectOf(x_groq).usage, tier);

function readCache(usage: Fields) {
  const details = objectOf(usage.prompt_tokens_details);
  return {
    cacheRead: countOf(details.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens),
    cacheWrite: countOf(details.cache_write_tokens ?? details.cache_creation_input_tokens),
  };
}

function readOutput(usage: Fields, prompt: number): { output: number; thinking: number | undefined } {
  const completion = countOf(usage.completion_tokens) ?? 0;
  const reasoning = countOf(objectOf(usage.completion_tokens_details).reasoning_tokens);
  const beyond = Math.max(0, (countOf(usage.total_tokens) ?? 0) - prompt - completion);
  if (reasoning === undefined) return { output: completion + beyond, thinking: beyond || undefined };
  const isSeparate = reasoning > completion || (reasoning > 0 && beyond === reasoning);
  return { output: isSeparate ? completion + reasoning : completion, thinking: reasoning };
}

/** Formats usage with every detail of the official client's types. Unknown counts are zero. */
export function formatUsage(usage: Usage = NO_USAGE) {
  const prompt = inputTotal(usage);
  const completion = outputTotal(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      cache_write_tokens: usage.input.cacheWrite ?? 0,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.output.thinking ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export type ChatUsage = ReturnType<typeof formatUsage>;
