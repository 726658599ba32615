import { Refusal } from '../../errors/refusal.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { formatPath } from '../../schema/format-path.ts';
import { createValidator } from '../../schema/validator.ts';
import type { AnswerLabel, Dialect, FrameMeaning, FrameReader, InferenceRequest } from '../dialect.ts';
import { patchJson, patchKnown } from '../patch-json.ts';
import { createChatDialectCodec } from './chat-dialect-codec.ts';
import { chatRequestSchema } from './chat-schema.ts';
import { createChunkPatcher } from './chunk-patcher.ts';
import { readUsage } from './usage.ts';

const DONE = '[DONE]';

type Chunk = {
  choices?: { delta?: Record<string, unknown>; finish_reason?: unknown }[];
  usage?: unknown;
  error?: unknown;
};

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
      return { body, model: body.value['model'] as string, stream: body.value['stream'] === true };
    },
    patchRequest,
    patchAnswer,
    frameReader,
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

/** Our own labels; and out go the fields in which hosts of this wire speak of themselves. */
const labelPatch = ({ id, model }: AnswerLabel) => ({
  id: JSON.stringify(id),
  model: JSON.stringify(model),
  provider: null,
  x_groq: null,
});

function patchAnswer(text: string, label: AnswerLabel) {
  const answer = JSON.parse(text) as Chunk;
  if (!Array.isArray(answer.choices)) throw new SyntaxError('an answer without choices');
  return { text: patchKnown(text, answer, labelPatch(label)), usage: readUsage(answer.usage) };
}

function frameReader({ body }: InferenceRequest, label: AnswerLabel): FrameReader {
  const showsUsage = wantsUsage(body);
  const patchChunk = createChunkPatcher(
    showsUsage ? labelPatch(label) : { ...labelPatch(label), usage: null },
  );
  let begun = false;
  let ended = false;
  return ({ data }): FrameMeaning => {
    if (data === DONE) return { text: `data: ${DONE}\n\n`, begins: true, closes: true, ends: true };
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined && chunk.error !== null)
      throw new SyntaxError('an error in place of a chunk');
    if (!Array.isArray(chunk.choices)) throw new SyntaxError('a chunk without choices');
    const usage = readUsage(chunk.usage);
    ended ||= chunk.choices.some((choice) => choice.finish_reason != null);
    const onlyUsage = usage !== undefined && chunk.choices.length === 0;
    begun ||= chunk.choices.some(saysSomething);
    const text = onlyUsage && !showsUsage ? '' : `data: ${patchChunk(data, chunk)}\n\n`;
    const meaning = { text, begins: begun, closes: ended || onlyUsage };
    return usage ? { ...meaning, usage } : meaning;
  };
}

/** A first chunk often has but the role: an upstream that sends it may still fail. */
const saysSomething = ({ delta, finish_reason }: NonNullable<Chunk['choices']>[number]): boolean =>
  finish_reason != null ||
  Object.entries(delta ?? {}).some(([key, value]) => key !== 'role' && value !== null && value !== '');
