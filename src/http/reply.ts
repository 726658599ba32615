export type ReplyBody =
  | string
  | Uint8Array<ArrayBuffer>
  | AsyncGenerator<string | Uint8Array<ArrayBuffer>>
  | null;

/** What a handler answers; the edge adds the headers that every response has and makes a `Response` of it. */
export type Reply = { status: number; body: ReplyBody; headers?: Record<string, string> };

export const jsonReply = (status: number, value: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
});
