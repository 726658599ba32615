import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/chat-completions/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { generatingErrors } from './inference-errors.ts';
import { generatingHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Chat Completion Request', {
  model: 'The id of a model or one of its aliases. `GET /v1/models` lists them.',
  messages: 'The conversation so far, oldest first.',
  stream: 'Streams the answer as server-sent events.',
  stream_options: '`include_usage` adds the usage to the last chunk of a stream.',
  max_tokens: 'The older name of `max_completion_tokens`.',
  max_completion_tokens: 'The maximum number of output tokens, hidden reasoning included.',
  temperature: 'Higher values make the output more random.',
  top_p: 'Nucleus sampling: only the most likely tokens with this total probability are considered.',
  frequency_penalty:
    'Positive values lower the probability of tokens in proportion to their frequency so far.',
  presence_penalty: 'Positive values lower the probability of tokens that have already appeared.',
  n: 'The number of answers.',
  seed: 'Makes sampling repeatable, if the model supports it.',
  stop: 'Stop sequences. The answer ends before the first one.',
  logprobs: 'Returns the log probability of each output token.',
  top_logprobs: 'The number of most likely tokens to return for each position.',
  tools: 'Tools that the model can call. The gateway removes hosted tools unless the model allows them.',
  tool_choice: '`auto`, `none`, `required`, or the function that the model must call.',
  parallel_tool_calls: 'Allows several tool calls in one answer.',
  response_format: 'The format of the answer: `text`, `json_object`, or `json_schema` with a schema.',
  reasoning_effort: 'The reasoning effort, on models that support it.',
  user: 'An id of the end user, chosen by the caller.',
  prompt_cache_key: 'Routes requests with the same key to the target that has their prompt cached.',
  prompt_cache_retention:
    'The lifetime of cached prompts. Values above the default are lowered unless the model allows them.',
  safety_identifier: 'A stable id of the end user, for abuse detection.',
  service_tier: 'The service tier. Tiers other than the default are replaced unless the model allows them.',
  modalities: 'Output types. Audio and images are refused unless the model allows them.',
});

const toolCall = Type.Object({
  id: Type.String(),
  type: Type.String(),
  function: Type.Object({ name: Type.String(), arguments: Type.String({ description: 'JSON text.' }) }),
});
const choice = Type.Object({
  index: Type.Integer(),
  message: Type.Object({
    role: Type.Literal('assistant'),
    content: Type.Optional(orNull(Type.String())),
    tool_calls: Type.Optional(Type.Array(toolCall)),
  }),
  finish_reason: orNull(
    Type.String({ description: 'For example `stop`, `length`, `tool_calls` or `content_filter`.' }),
  ),
});
const usage = Type.Object({
  prompt_tokens: Type.Integer({ description: 'All input tokens, cached ones included.' }),
  completion_tokens: Type.Integer({ description: 'All output tokens, reasoning included.' }),
  total_tokens: Type.Integer(),
});

/** Describes `POST /v1/chat/completions`. */
export const chatDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Creates an answer to a conversation (OpenAI Chat Completions)',
  headers: generatingHeaders,
  body,
  bodyExample: { model: '{model}', messages: [{ role: 'user', content: 'Hello!' }] },
  answer: 'The completion. A stream ends with `data: [DONE]`. A failed stream ends with an error instead.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('chat.completion'),
      created: Type.Integer({ description: 'Unix seconds.' }),
      model: Type.String({ description: 'The model as the request named it.' }),
      choices: Type.Array(choice),
      usage,
    },
    { title: 'Chat Completion' },
  ),
  streams: true,
  errors: generatingErrors,
};
