import { Refusal } from '../../errors/refusal.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { formatPath } from '../../schema/format-path.ts';
import { createValidator } from '../../schema/validator.ts';
import { END_OF_BODY } from '../codec.ts';
import type { AnswerLabel, Dialect, InferenceRequest } from '../dialect.ts';
import { patchAnswer } from '../openai-answer.ts';
import { createChunkReader } from '../openai-chunk-reader.ts';
import { patchOpenaiRequest, wantsUsage } from '../patch-openai-request.ts';
import { createChatDialectCodec } from './chat-dialect-codec.ts';
import { chatRequestSchema } from './chat-schema.ts';

/** Chat completions on a chat-completions wire. */
export function createChatDialect(): Dialect {
  const validate = createValidator(chatRequestSchema);
  return {
    codec: createChatDialectCodec(),
    wire: 'openai-chat',
    keyHeader: 'bearer',
    idPrefix: 'chatcmpl-',
    upstreamPath: '/chat/completions',
    read(body) {
      const problem = validate(body.value);
      if (problem) return invalidField(formatPath(problem.path), problem.message);
      return {
        body,
        model: body.value['model'] as string,
        stream: body.value['stream'] === true,
        answers: answersIn(body),
      };
    },
    patchRequest: (request, upstreamModel) => patchOpenaiRequest(request, upstreamModel),
    patchAnswer,
    frameReader,
    closingFrame: END_OF_BODY,
  };
}

const invalidField = (param: string, message: string) =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

const answersIn = ({ value }: JsonBody): number => (value['n'] as number | null | undefined) ?? 1;

const frameReader = ({ body }: InferenceRequest, label: AnswerLabel) =>
  createChunkReader({
    label,
    showsUsage: wantsUsage(body.value),
    choices: answersIn(body),
  });
