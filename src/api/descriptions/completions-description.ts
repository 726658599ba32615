import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/completions/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { generatingErrors } from './inference-errors.ts';
import { generatingHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Completion Request', {
  model: 'The id of a chat model or one of its aliases.',
  prompt: 'A text, or an array of texts that are answered separately. Some models also accept token ids.',
  stream: 'Streams the answer as server-sent events.',
  stream_options: '`include_usage` adds the usage to the last chunk of a stream.',
  max_tokens: 'The maximum number of output tokens of each answer, hidden reasoning included.',
  temperature: 'Higher values make the output more random.',
  top_p: 'Nucleus sampling: only the most likely tokens with this total probability are considered.',
  frequency_penalty:
    'Positive values lower the probability of tokens in proportion to their frequency so far.',
  presence_penalty: 'Positive values lower the probability of tokens that have already appeared.',
  seed: 'Makes sampling repeatable, if the model supports it.',
  stop: 'Stop sequences. The answer ends before the first one.',
  n: 'The number of answers to each prompt.',
  best_of:
    'The number of answers to generate, of which the best `n` are returned. Values above `n` are refused unless the model allows them.',
  echo: 'Repeats the prompt at the start of each answer.',
  suffix: 'The text after the answer, on models that can fill in the middle.',
  logprobs: 'The number of most likely tokens to return for each position, if the model supports it.',
  user: 'An id of the end user, chosen by the caller.',
});

const choice = Type.Object({
  text: Type.String(),
  index: Type.Integer({ description: 'The position of the answer. Answers are ordered by prompt.' }),
  logprobs: orNull(Type.Object({})),
  finish_reason: Type.Enum(['stop', 'length', 'content_filter']),
});

/** Describes `POST /v1/completions`. */
export const completionsDescription: RouteDescription = {
  group: 'Legacy completions',
  key: 'bearer',
  summary: 'Completes one or more prompts (OpenAI legacy Completions)',
  headers: generatingHeaders,
  body,
  bodyExample: { model: '{model}', prompt: 'Hello!' },
  answer: 'The completion. A stream ends with `data: [DONE]`. A failed stream ends with an error instead.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('text_completion'),
      created: Type.Integer({ description: 'Unix seconds.' }),
      model: Type.String({ description: 'The model as the request named it.' }),
      choices: Type.Array(choice),
      usage: Type.Object({
        prompt_tokens: Type.Integer({ description: 'Input tokens of all prompts.' }),
        completion_tokens: Type.Integer({ description: 'Output tokens of all answers, reasoning included.' }),
        total_tokens: Type.Integer(),
      }),
    },
    { title: 'Completion' },
  ),
  streams: true,
  errors: generatingErrors,
};
