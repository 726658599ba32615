/** An answer as bytes, with the tag by which a client recognizes it. */
export type PreparedBody = { body: Uint8Array<ArrayBuffer>; etag: string };

/** Prepares a value as JSON. */
export const prepareBody = (value: unknown): PreparedBody => prepareText(JSON.stringify(value));

/** Prepares a text that is JSON already. */
export function prepareText(text: string): PreparedBody {
  const body = new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  return { body, etag: `"${Bun.hash(body).toString(36)}"` };
}
