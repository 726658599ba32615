import { Refusal } from '../../errors/refusal.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { formatPath } from '../../schema/format-path.ts';
import { createValidator } from '../../schema/validator.ts';
import { END_OF_BODY } from '../codec.ts';
import type { AnswerLabel, Dialect, InferenceRequest } from '../dialect.ts';
import { patchJson } from '../patch-json.ts';
import { patchAnswer } from './chat-answer.ts';
import { createChatDialectCodec } from './chat-dialect-codec.ts';
import { createChatFrameReader } from './chat-frame-reader.ts';
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
    patchRequest,
    patchAnswer,
    frameReader,
    closingFrame: END_OF_BODY,
  };
}

const invalidField = (param: string, message: string) =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

const wantsUsage = ({ value }: JsonBody): boolean =>
  (value['stream_options'] as { include_usage?: unknown } | null | undefined)?.include_usage === true;

function patchRequest({ body, stream }: InferenceRequest, upstreamModel: string): string {
  const patch: Record<string, string> = { model: JSON.stringify(upstreamModel) };
  if (stream && !wantsUsage(body)) {
    const options = body.value['stream_options'] as Record<string, unknown> | null | undefined;
    patch['stream_options'] = JSON.stringify({ ...options, include_usage: true });
  }
  return patchJson(body.text, body.members, patch);
}

const answersIn = ({ value }: JsonBody): number => (value['n'] as number | null | undefined) ?? 1;

const frameReader = ({ body }: InferenceRequest, label: AnswerLabel) =>
  createChatFrameReader({
    label,
    showsUsage: wantsUsage(body),
    choices: answersIn(body),
  });
