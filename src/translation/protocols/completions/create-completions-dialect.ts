import { Refusal } from '../../../base/errors/refusal.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { END_OF_BODY } from '../../contract/frame.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { ChunkReader } from '../openai/chunk-reader.ts';
import { patchAnswer } from '../openai/openai-answer.ts';
import { patchOpenaiRequest, wantsUsage } from '../openai/patch-openai-request.ts';
import { createCompletionsDialectCodec } from './create-completions-dialect-codec.ts';
import { createRequestCheck } from './create-request-check.ts';
import { DEFAULT_CEILING, outputCeiling } from './output-ceiling.ts';
import { type CompletionsRequest, promptsOf, requestSchema } from './request-schema.ts';

/**
 * Creates the legacy completions dialect. It is passed on to its own wire; elsewhere each prompt becomes a
 * user turn.
 */
export function createCompletionsDialect(): Dialect {
  const check = createRequestCheck();
  return {
    codec: createCompletionsDialectCodec(),
    wire: 'openai-completions',
    keyHeader: 'bearer',
    idPrefix: 'cmpl-',
    upstreamPath: '/completions',
    ceilings: ['max_tokens'],
    unaskedOutput: DEFAULT_CEILING,
    inspect: createInspection(requestSchema, []),
    read(body) {
      const request = check(body.value);
      if (request instanceof Refusal) return request;
      const { model, stream, n, best_of } = request;
      const prompts = promptsOf(request).length;
      const answers = prompts * (n ?? 1);
      const written = best_of == null ? answers : prompts * best_of;
      return { body, model, stream: stream === true, prompts, answers, written };
    },
    patchRequest,
    patchAnswer,
    frameReader,
    closingFrame: END_OF_BODY,
  };
}

function patchRequest(request: InferenceRequest, upstreamModel: string, target: EncodeTarget): string {
  const { max_tokens } = request.body.value as CompletionsRequest;
  const ceiling = outputCeiling(max_tokens, target);
  return patchOpenaiRequest(request, upstreamModel, {
    max_tokens: ceiling === max_tokens ? undefined : JSON.stringify(ceiling),
  });
}

const frameReader = ({ body, answers = 1 }: InferenceRequest, label: AnswerLabel) =>
  new ChunkReader({ label, showsUsage: wantsUsage(body.value), choices: answers });
