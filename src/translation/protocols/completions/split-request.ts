import { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import { present } from '../../../base/json/present.ts';
import type { CanonicalRequest, Sampling } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { type CompletionsRequest, MAX_ANSWERS, promptsOf } from './request-schema.ts';

/**
 * Splits a request into one chat request per answer, each with its prompt as the only user turn. Refuses
 * fields that this form cannot express.
 */
export function splitRequest(request: CompletionsRequest): CanonicalRequest[] | Refusal {
  const unsupported = refuseFields(request);
  if (unsupported) return unsupported;
  const texts = textPrompts(request);
  if (texts instanceof Refusal) return texts;
  const answersEach = request.n ?? 1;
  if (texts.length * answersEach > MAX_ANSWERS) {
    const field = texts.length > MAX_ANSWERS ? 'prompt' : 'n';
    return unqualifiedParam(field, `the chosen model gives at most ${MAX_ANSWERS} answers to one request`);
  }
  return texts.flatMap((text) => Array<CanonicalRequest>(answersEach).fill(chatRequest(request, text)));
}

function chatRequest(request: CompletionsRequest, text: string): CanonicalRequest {
  const { model, stream, max_tokens, user } = request;
  return {
    model,
    stream: stream === true,
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text }] }],
    tools: [],
    ...(max_tokens != null && { maxOutputTokens: max_tokens }),
    sampling: samplingOf(request),
    hints: user == null ? {} : { user },
    ...keepOwnFields('completions', request),
  };
}

function samplingOf(request: CompletionsRequest): Sampling {
  const { stop } = request;
  return present({
    temperature: request.temperature,
    topP: request.top_p,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    seed: request.seed,
    stopSequences: typeof stop === 'string' ? [stop] : stop,
  });
}

/** Refuses fields that have no form in a chat request, unless their value asks for nothing. */
function refuseFields(request: CompletionsRequest): Refusal | undefined {
  const { suffix, logprobs, best_of, n, max_tokens } = request;
  if (suffix) return unqualifiedParam('suffix', 'the chosen model cannot write text that leads to a suffix');
  if (logprobs != null)
    return unqualifiedParam('logprobs', 'the chosen model does not return log probabilities');
  if (best_of != null && best_of > (n ?? 1))
    return unqualifiedParam('best_of', 'the chosen model does not rank its answers; best_of must equal n');
  if (max_tokens === 0) return unqualifiedParam('max_tokens', 'the chosen model writes at least one token');
  return undefined;
}

/**
 * Returns the prompts, which must be texts. Only their own model knows the text of tokens.
 * A chat model accepts no empty turn.
 */
function textPrompts(request: CompletionsRequest): string[] | Refusal {
  const prompts = promptsOf(request);
  const texts: string[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const param = prompts.length > 1 ? `prompt[${index}]` : 'prompt';
    if (typeof prompt !== 'string')
      return unqualifiedParam(param, 'the chosen model accepts text, not tokens');
    if (prompt.trim() === '')
      return unqualifiedParam(param, 'the chosen model does not accept an empty prompt');
    texts.push(prompt);
  }
  return texts;
}
