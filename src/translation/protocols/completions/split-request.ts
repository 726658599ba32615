import { Refusal } from '../../../base/errors/refusal.ts';
import type { CanonicalRequest, Sampling } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { type CompletionsRequest, MAX_ANSWERS, promptsOf } from './request-schema.ts';

/**
 * Splits a request into one chat request per answer, each with its prompt as the only user turn. Refuses
 * fields that this form cannot express.
 */
export function splitRequest(request: CompletionsRequest): CanonicalRequest[] | Refusal {
  const prompts = promptsOf(request);
  const refusal = refuseWhatIsNoChat(request) ?? refusePrompts(prompts);
  if (refusal) return refusal;
  const each = request.n ?? 1;
  if (prompts.length * each > MAX_ANSWERS) {
    const field = prompts.length > MAX_ANSWERS ? 'prompt' : 'n';
    return notQualified(field, `the chosen model gives at most ${MAX_ANSWERS} answers to one request`);
  }
  return prompts.flatMap((prompt) => Array(each).fill(turnOf(request, prompt as string)));
}

function turnOf(request: CompletionsRequest, text: string): CanonicalRequest {
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
  const { temperature, top_p, frequency_penalty, presence_penalty, seed, stop } = request;
  const stopSequences = typeof stop === 'string' ? [stop] : stop;
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(frequency_penalty != null && { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty != null && { presencePenalty: presence_penalty }),
    ...(seed != null && { seed }),
    ...(stopSequences != null && { stopSequences }),
  };
}

const notQualified = (param: string, problem: string): Refusal =>
  new Refusal('route_not_qualified', { param, message: `${param}: ${problem}` });

function refuseWhatIsNoChat(request: CompletionsRequest): Refusal | undefined {
  const { suffix, logprobs, best_of, n, max_tokens } = request;
  if (suffix) return notQualified('suffix', 'the chosen model cannot write text that leads to a suffix');
  if (logprobs != null) return notQualified('logprobs', 'the chosen model does not return log probabilities');
  if (best_of != null && best_of > (n ?? 1))
    return notQualified('best_of', 'the chosen model does not rank its answers; best_of must equal n');
  if (max_tokens === 0) return notQualified('max_tokens', 'the chosen model writes at least one token');
  return undefined;
}

/** Refuses prompts in tokens, since only their own model knows their text, and empty prompts. */
function refusePrompts(prompts: ReturnType<typeof promptsOf>): Refusal | undefined {
  for (const [index, prompt] of prompts.entries()) {
    const param = prompts.length > 1 ? `prompt[${index}]` : 'prompt';
    if (typeof prompt !== 'string') return notQualified(param, 'the chosen model accepts text, not tokens');
    if (prompt.trim() === '') return notQualified(param, 'the chosen model does not accept an empty prompt');
  }
  return undefined;
}
