/**
 * `withoutIds`: its clients drop frames with an `id:` line, so readers of its streams count the frames.
 * `framedBy`: the words of the query without which a stream has no frames.
 */
export type GeneratingEndpoint = { withoutIds?: true; framedBy?: string };

/** The endpoints whose answers retries can join and get again, by route. */
export const generatingEndpoints: Readonly<Record<string, GeneratingEndpoint>> = {
  '/v1/messages': {},
  '/v1/responses': {},
  '/v1/responses/compact': {},
  '/v1/chat/completions': {},
  '/v1/completions': {},
  '/v1/embeddings': {},
  '/v1beta/interactions': {},
  '/v1beta/models/{id*}:generateContent': {},
  '/v1beta/models/{id*}:embedContent': {},
  '/v1beta/models/{id*}:batchEmbedContents': {},
  '/v1beta/models/{id*}:streamGenerateContent': { withoutIds: true, framedBy: 'alt=sse' },
  '/v1/interactions': {},
  '/v1/models/{id*}:generateContent': {},
  '/v1/models/{id*}:embedContent': {},
  '/v1/models/{id*}:batchEmbedContents': {},
  '/v1/models/{id*}:streamGenerateContent': { withoutIds: true, framedBy: 'alt=sse' },
};
