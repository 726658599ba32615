/** Makes a small messages request. */
export const messagesBody = (model: string, fields: Record<string, unknown> = {}) => ({
  model,
  max_tokens: 4_096,
  messages: [{ role: 'user', content: 'say: hello' }],
  ...fields,
});

/** Returns the objects of a stream's `data:` lines, without `[DONE]`. */
export const dataOf = (text: string) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));
