/** `withoutIds`: its clients drop frames with an `id:` line, so readers of its streams count the frames. */
export type GeneratingEndpoint = { withoutIds?: true };

/** The endpoints whose answers retries can join and get again, by route. */
export const generatingEndpoints: Readonly<Record<string, GeneratingEndpoint>> = {
  '/v1/messages': {},
  '/v1/responses': {},
  '/v1/responses/compact': {},
  '/v1/chat/completions': {},
  '/v1/completions': {},
  '/v1/embeddings': {},
};
