import { expect, test } from 'bun:test';
import { promptLengthsIn } from './prompt-lengths.ts';

const llamaCpp = (fields: object): string =>
  JSON.stringify({ error: { code: 400, type: 'exceed_context_size_error', ...fields } }, null, 1);

test.each([
  ['prompt is too long: 205000 tokens > 200000 maximum', 205_000, 200_000],
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease them',
    209_573,
    200_000,
  ],
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length.",
    9_000,
    8_192,
  ],
  ["This model's maximum context length is 4,096 tokens, however you requested 4,200 tokens", 4_200, 4_096],
  [
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 50000 tokens (49000 of text input)",
    50_000,
    32_768,
  ],
  [
    "This model's maximum context length is 1024 tokens. However, your request has 4522 input tokens. Please reduce the length.",
    4_522,
    1_024,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 200 input tokens (8000 > 8192 - 200).",
    8_200,
    8_192,
  ],
  ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 5_000, 4_096],
  ['The engine prompt length 5000 exceeds the max_model_len 4096. Please reduce prompt.', 5_000, 4_096],
  [
    "You passed 4097 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens, resulting in",
    4_197,
    4_096,
  ],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    1_200_000,
    1_048_576,
  ],
  ['request (4522 tokens) exceeds the available context size (1024 tokens), try increasing it', 4_522, 1_024],
  [
    llamaCpp({
      message: 'the request exceeds the available context size.',
      n_prompt_tokens: 4522,
      n_ctx: 1024,
    }),
    4_522,
    1_024,
  ],
  [llamaCpp({ n_ctx: 1024, n_prompt_tokens: 4522 }), 4_522, 1_024],
  ['Requested tokens (2285) exceed context window of 2048', 2_285, 2_048],
  [
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4522>= n_ctx: 4096)',
    4_522,
    4_096,
  ],
  ["The input (265330 tokens) is longer than the model's context length (262144 tokens).", 265_330, 262_144],
  [
    "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000",
    9_000,
    8_192,
  ],
  [
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
    9_512,
    8_193,
  ],
  ['Input validation error: `inputs` must have less than 1024 tokens. Given: 4522', 4_522, 1_024],
  [
    'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    65_673,
    32_768,
  ],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537_812, 131_072],
  ['The prompt is too long: 10000, model maximum context length: 8192', 10_000, 8_192],
  [
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    9_000,
    8_192,
  ],
  ['Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)', 300_000, 262_144],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.', 4_292, 4_081],
  [
    'too many tokens: size limit exceeded by 3520 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
    131_520,
    128_000,
  ],
  ['Input length 265330 exceeds the maximum allowed input length of 262144 tokens.', 265_330, 262_144],
  ['Requested input length 10000 exceeds maximum input length 8192', 10_000, 8_192],
  ['prompt token count of 145000 exceeds the limit of 128000', 145_000, 128_000],
])('finds the lengths that a vendor names [ERR-56]: %s', (text, tokens, maximum) => {
  expect(promptLengthsIn(text)).toEqual({ tokens, maximum });
});

test.each([
  'Input is too long for requested model.',
  'prompt is too long: 5 tokens > 9 maximum',
  'the request exceeds the available context size, try increasing it',
  'Your input exceeds the context window of this model.',
  'Please reduce the length of the messages or completion.',
  'invalid params, context window exceeds limit (2013)',
  'Range of input length should be [1, 129024]',
  'prompt too long; exceeded max context length by 4096 tokens',
  '',
])('finds none where the vendor names none, or where they fit [ERR-56]: %s', (text) =>
  expect(promptLengthsIn(text)).toBeUndefined());
