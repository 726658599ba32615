import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { ModelKind } from '../../../translation/canonical/model-kind.ts';
import { CommandFailure } from '../command-failure.ts';

/** The output of the test. Some vendors refuse fewer tokens. */
const OUTPUT_TOKENS = 16;

type SmallRequest = { path: string; fields: object };

const conversation: SmallRequest = {
  path: '/v1/chat/completions',
  fields: {
    messages: [{ role: 'user', content: 'Reply with the word OK.' }],
    max_completion_tokens: OUTPUT_TOKENS,
  },
};

/** A small request for each kind of model. `null` means that the kind needs a file. */
const requests: Readonly<Record<ModelKind, SmallRequest | null>> = {
  chat: conversation,
  embedding: { path: '/v1/embeddings', fields: { input: 'ping' } },
  image: { path: '/v1/images/generations', fields: { prompt: 'A dot' } },
  transcription: null,
  speech: { path: '/v1/audio/speech', fields: { input: 'OK', voice: 'alloy' } },
  rerank: { path: '/v1/rerank', fields: { query: 'ping', documents: ['pong'] } },
  moderation: { path: '/v1/moderations', fields: { input: 'ping' } },
};

/** Returns a small request of a model, by the model's kind. */
export function smallRequest({ id, kind }: { id: string; kind: ModelKind }): { path: string; body: object } {
  const request = requests[kind];
  if (request === null)
    throw new CommandFailure(`${id} transcribes files; send one to /v1/audio/transcriptions`);
  return { path: request.path, body: { model: id, ...request.fields } };
}

/** Returns the text of a conversation's answer, or null for any other answer. */
export function textIn(answer: unknown): string | null {
  const { message } = objectOf(listOf(objectOf(answer)['choices'])[0]);
  return textOf(objectOf(message)['content']) ?? null;
}
