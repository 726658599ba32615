import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/completions/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { generatingErrors, inferenceHeaders } from './inference-description.ts';

const body = describeFields(requestSchema, 'Completion Request', {
  model: 'The id of a chat model, or any other spelling of it.',
  prompt: 'A text, or several, each answered by itself. Lists of tokens where the model takes them.',
  stream: 'Whether to answer with server-sent events.',
  stream_options: 'With `include_usage`, the last chunk of a stream holds the usage.',
  max_tokens: 'The most tokens of each answer, hidden reasoning included.',
  temperature: 'How much chance there is in the answer.',
  top_p: 'Only the likeliest tokens that together have this probability are drawn from.',
  frequency_penalty: 'Makes tokens less likely the more often they came.',
  presence_penalty: 'Makes tokens less likely that came at all.',
  seed: 'The same seed gives the same answer, where the model can do that.',
  stop: 'Texts at which the answer ends.',
  n: 'How many answers to give to each prompt.',
  best_of:
    'The number of answers that the best are chosen from. A value above `n` is refused unless the model allows it.',
  echo: 'Whether each answer begins with its prompt.',
  suffix: 'What comes behind the answer, where the model can write what stands between.',
  logprobs: 'How many of the likeliest tokens to give for each place, where the model can.',
  user: "The end user's id, in your own terms.",
});

const choice = Type.Object({
  text: Type.String(),
  index: Type.Integer({ description: 'Answers to the first prompt come first.' }),
  logprobs: Type.Union([Type.Object({}), Type.Null()]),
  finish_reason: Type.Enum(['stop', 'length', 'content_filter']),
});

/** What the documentation says of `POST /v1/completions`. */
export const completionsDescription: RouteDescription = {
  group: 'Legacy completions',
  key: 'bearer',
  summary: 'Answers prompts, in the shape of OpenAI legacy completions',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{model}', prompt: 'Hello!' },
  answer: 'The completion. A stream ends with `data: [DONE]`, or with an error in its place.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('text_completion'),
      created: Type.Integer({ description: 'Unix seconds.' }),
      model: Type.String({ description: 'The model as the request named it.' }),
      choices: Type.Array(choice),
      usage: Type.Object({
        prompt_tokens: Type.Integer({ description: 'Of all prompts.' }),
        completion_tokens: Type.Integer({ description: 'Of all answers, reasoning included.' }),
        total_tokens: Type.Integer(),
      }),
    },
    { title: 'Completion' },
  ),
  streams: true,
  errors: generatingErrors,
};
