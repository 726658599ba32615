/** A request of a guide. `{model}` in it is a model of the server. The tests send every one of them. */
export type GuideRequest = {
  method?: 'GET' | 'POST';
  path: `/v1/${string}`;
  /** Headers in addition to the key and the content type. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};

export type GuideStep = {
  title: string;
  /** Sentences with code in backticks. */
  text: string;
  request?: GuideRequest;
};

export type Guide = { id: string; title: string; steps: readonly GuideStep[] };

const hello = [{ role: 'user', content: 'Hello!' }];

const weather = {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** A red square of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const streaming: Guide = {
  id: 'guide-streaming',
  title: 'Streaming',
  steps: [
    {
      title: 'Ask for a stream',
      text: 'With `"stream": true` the answer arrives as server-sent events while the model writes it. Every protocol has its own events, and the official SDKs read them. `stream_options.include_usage` adds a last chunk with the tokens.',
      request: {
        path: '/v1/chat/completions',
        body: { model: '{model}', stream: true, stream_options: { include_usage: true }, messages: hello },
      },
    },
    {
      title: 'Read it to its end',
      text: 'A chat stream ends with `data: [DONE]`, a messages stream with `message_stop`, and a responses stream with `response.completed`. A stream without its end was cut off. A failure after the start is an error event in the stream. Lines that begin with a colon keep the connection open and have no meaning.',
      request: {
        path: '/v1/messages',
        body: { model: '{model}', max_tokens: 100, stream: true, messages: hello },
      },
    },
    {
      title: 'Stop early',
      text: 'Close the connection to stop an answer. You pay for the tokens produced until then.',
    },
  ],
};

const tools: Guide = {
  id: 'guide-tools',
  title: 'Tools',
  steps: [
    {
      title: 'Offer a tool',
      text: 'Describe the tool with a JSON schema. The model answers with a call of it, and `finish_reason` is `tool_calls`. Models with `capabilities.tools` accept tools.',
      request: {
        path: '/v1/chat/completions',
        body: {
          model: '{model}',
          messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
          tools: [
            {
              type: 'function',
              function: {
                name: weather.name,
                description: weather.description,
                parameters: weather.schema,
              },
            },
          ],
        },
      },
    },
    {
      title: 'Return its result',
      text: 'Send the conversation again with the call and your result. `tool_call_id` is the `id` of the call.',
      request: {
        path: '/v1/chat/completions',
        body: {
          model: '{model}',
          messages: [
            { role: 'user', content: 'What is the weather in Oslo?' },
            {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'call_1',
                  type: 'function',
                  function: { name: weather.name, arguments: '{"city":"Oslo"}' },
                },
              ],
            },
            { role: 'tool', tool_call_id: 'call_1', content: 'Rain, 4 °C' },
          ],
        },
      },
    },
    {
      title: 'In the messages protocol',
      text: 'The schema is called `input_schema`. The call is a block of the type `tool_use`, and `stop_reason` is `tool_use`.',
      request: {
        path: '/v1/messages',
        body: {
          model: '{model}',
          max_tokens: 200,
          messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
          tools: [{ name: weather.name, description: weather.description, input_schema: weather.schema }],
        },
      },
    },
  ],
};

const vision: Guide = {
  id: 'guide-vision',
  title: 'Images in prompts',
  steps: [
    {
      title: 'Send an image',
      text: 'Models with `capabilities.vision` read images. Send an image as a data URL. PNG, JPEG, GIF and WebP are accepted.',
      request: {
        path: '/v1/chat/completions',
        body: {
          model: '{vision_model}',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Which colour is this?' },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
              ],
            },
          ],
        },
      },
    },
    {
      title: 'In the messages protocol',
      text: 'An image is a block with a `source`.',
      request: {
        path: '/v1/messages',
        body: {
          model: '{vision_model}',
          max_tokens: 100,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
                { type: 'text', text: 'Which colour is this?' },
              ],
            },
          ],
        },
      },
    },
  ],
};

const batches: Guide = {
  id: 'guide-batches',
  title: 'Running batches',
  steps: [
    {
      title: 'Create a batch',
      text: 'A batch runs many requests in the background, while the server has room. `custom_id` is your own id for each of them. With an `idempotency-key` a repeated call creates no second batch. Batches use the credits of the plan.',
      request: {
        path: '/v1/messages/batches',
        headers: { 'idempotency-key': 'nightly-1', 'x-api-key': '$API_KEY' },
        body: {
          requests: [
            { custom_id: 'first', params: { model: '{model}', max_tokens: 100, messages: hello } },
            { custom_id: 'second', params: { model: '{model}', max_tokens: 100, messages: hello } },
          ],
        },
      },
    },
    {
      title: 'Wait for it',
      text: 'Read `/v1/messages/batches/{id}` until `processing_status` is `ended`. Its `results_url` then has one line for each request, in any order. A failed request has an error in its line and is free.',
      request: { method: 'GET', path: '/v1/messages/batches', headers: { 'x-api-key': '$API_KEY' } },
    },
  ],
};

const budget: Guide = {
  id: 'guide-credits',
  title: 'Spending',
  steps: [
    {
      title: 'Know the price before',
      text: 'A quote shows the highest cost of a request and whether it would be admitted. It sends and charges nothing.',
      request: { path: '/v1/quote', body: { model: '{model}', max_tokens: 200, messages: hello } },
    },
    {
      title: 'Know what is left',
      text: '`/v1/usage` has the balances, the date of the renewal, and the usage by day, model or key. Every answer to a request has the used share in a header.',
      request: { method: 'GET', path: '/v1/usage?by=model' },
    },
    {
      title: 'Limit a key',
      text: 'Give each application a key of its own, with a monthly cap and allowed models. A key that leaks can then spend no more than its cap.',
    },
  ],
};

const failures: Guide = {
  id: 'guide-errors',
  title: 'Handling errors',
  steps: [
    {
      title: 'Decide by the code',
      text: 'Each error has a stable `code`. The table of errors lists all of them. The `message` is for people and can change.',
    },
    {
      title: 'Retry what can succeed',
      text: 'Retry `429` and `503` after `retry-after`, and other `5xx` with a growing pause. `x-should-retry: false` marks answers for which a retry is useless, and the official SDKs obey it. Do not retry `400`, `401`, `402`, `403` and `404`.',
    },
    {
      title: 'React to 402',
      text: '`allowance_exhausted` ends at `resets_at`, when the credits of the plan renew. `key_budget_exhausted` ends with the calendar month. `insufficient_paid_credit` needs a purchase or a lower `max_tokens`.',
    },
    {
      title: 'Report a failure',
      text: 'Every answer has a request id in a header. The operator finds everything about the request with it.',
    },
  ],
};

const migration: Guide = {
  id: 'guide-migration',
  title: 'Moving from another gateway',
  steps: [
    {
      title: 'Change three settings',
      text: 'Clients of OpenRouter, LiteLLM, llmgateway or the Vercel AI Gateway speak the protocol of OpenAI. Set their base URL to `{origin}/v1`, their key to a key of this server, and the model to one of `/v1/models`. The rest of a request stays as it is, apart from the fields below.',
      request: { method: 'GET', path: '/v1/models' },
    },
    {
      title: 'Names of models',
      text: 'Models are named without their vendor: `gpt-5.5`, not `openai/gpt-5.5`. Open-weight models begin with `@{brand}/`, and also have a name without it. The operator can add further names.',
    },
    {
      title: 'Fields of other gateways',
      text: 'Remove `provider`, `models` and `route`: the server chooses the provider, and refuses requests that choose one with `422`. Costs are in the receipt at `/v1/usage/{request_id}`, not in the `usage` of the answer.',
    },
    {
      title: 'Clients of Anthropic',
      text: 'Set the base URL to `{origin}` without `/v1`. Every model of the catalog answers in the messages protocol.',
      request: { path: '/v1/messages', body: { model: '{model}', max_tokens: 100, messages: hello } },
    },
  ],
};

/** Guides for common tasks, in the order of the contents. */
export const guides: readonly Guide[] = [streaming, tools, vision, batches, budget, failures, migration];
