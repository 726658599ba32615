import { type TSchema, Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/chat-completions/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { generatingErrors, inferenceHeaders } from './inference-description.ts';

const body = describeFields(requestSchema, 'Chat Completion Request', {
  model: 'The id of a model, or any other spelling of it; `GET /v1/models` lists them.',
  messages: 'The conversation so far, oldest first.',
  stream: 'Whether to answer with server-sent events.',
  stream_options: 'With `include_usage`, the last chunk of a stream holds the usage.',
  max_tokens: 'The most tokens of the answer; the older name of `max_completion_tokens`.',
  max_completion_tokens: 'The most tokens of the answer, hidden reasoning included.',
  temperature: 'How much chance there is in the answer.',
  top_p: 'Only the likeliest tokens that together have this probability are drawn from.',
  frequency_penalty: 'Makes tokens less likely the more often they came.',
  presence_penalty: 'Makes tokens less likely that came at all.',
  n: 'How many answers to give.',
  seed: 'The same seed gives the same answer, where the model can do that.',
  stop: 'Texts at which the answer ends.',
  logprobs: 'Whether to give the probability of each token.',
  top_logprobs: 'How many of the likeliest tokens to give for each place.',
  tools: 'What the model may call. Hosted tools are left out unless the model allows them.',
  tool_choice: '`auto`, `none`, `required`, or the one function to call.',
  parallel_tool_calls: 'Whether several calls may come in one answer.',
  response_format: '`json_object`, or `json_schema` with a schema that the answer follows.',
  reasoning_effort: 'How much to think, on models that take it.',
  user: "The end user's id, in your own terms.",
  prompt_cache_key: 'Keeps requests of one conversation where their prompt is cached.',
  prompt_cache_retention: 'A lifetime above the default is lowered to it unless the model allows more.',
  safety_identifier: 'A stable id of the end user.',
  service_tier: 'A tier other than the default is lowered to it unless the model allows more.',
  modalities: '`text`. Sound and images are refused unless the model allows them.',
});

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
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
    Type.String({ description: 'Like `stop`, `length`, `tool_calls` or `content_filter`.' }),
  ),
});
const usage = Type.Object({
  prompt_tokens: Type.Integer({ description: 'Cached ones included.' }),
  completion_tokens: Type.Integer({ description: 'Reasoning included.' }),
  total_tokens: Type.Integer(),
});

/** What the documentation says of `POST /v1/chat/completions`. */
export const chatDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Answers a conversation, in the shape of OpenAI chat completions',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{model}', messages: [{ role: 'user', content: 'Hello!' }] },
  answer: 'The completion. A stream ends with `data: [DONE]`, or with an error in its place.',
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
