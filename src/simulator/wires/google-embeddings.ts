import { embedText } from '../model/embed-text.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { GOOGLE_GENERATE } from './google-generate.ts';

const MAX_REQUESTS = 2_048;
const MAX_DIMENSIONS = 16_384;

function answer({ body, tokenizer, embeddingDimensions, reportsUsage }: SimulatorExchange): SimulatorAnswer {
  const requests = body.at('requests').someItems();
  if (requests.length > MAX_REQUESTS)
    body.at('requests').fail(`at most ${MAX_REQUESTS} requests are supported`);
  const inputs = requests.map((request) => ({
    text: request
      .at('content')
      .at('parts')
      .someItems()
      .map((part) => part.at('text').text())
      .join(''),
    dimensions:
      request.at('outputDimensionality').number({ min: 1, max: MAX_DIMENSIONS }) ?? embeddingDimensions,
  }));
  const tokens = inputs.reduce((sum, { text }) => sum + tokenizer.count(text), 0);
  const result = {
    embeddings: inputs.map(({ text, dimensions }) => ({ values: [...embedText(text, dimensions)] })),
    ...(reportsUsage && { usageMetadata: { promptTokenCount: tokens } }),
  };
  return { streamed: false, body: () => result, events: () => [] };
}

const { credential, failureBody } = GOOGLE_GENERATE;

export const GOOGLE_EMBEDDINGS: SimulatorWire = {
  id: 'google-embeddings',
  path: /^\/models\/(?<model>.+):(?<action>batchEmbedContents)$/,
  framing: SSE_FRAMING,
  credential,
  answer,
  failureBody,
  failureEvents: () => [],
};
