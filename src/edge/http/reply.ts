export type BodyPiece = string | Uint8Array<ArrayBuffer>;

/** Where a body goes that is written as it comes. */
export type BodyWriter = {
  /** Where the reader is behind, a promise to wait for comes back. Throws or rejects when there is no reader any more. */
  write(piece: BodyPiece): Promise<void> | undefined;
};

/** Writes a body to its end; a throw breaks the connection off. */
export type WrittenBody = (writer: BodyWriter) => Promise<void>;

export type ReplyBody = BodyPiece | AsyncGenerator<BodyPiece> | WrittenBody | null;

/** What a handler answers; the edge adds the headers that every response has and makes a `Response` of it. */
export type Reply = { status: number; body: ReplyBody; headers?: Record<string, string> };

export const jsonReply = (status: number, value: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
});
