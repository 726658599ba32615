export type BodyPiece = string | Uint8Array<ArrayBuffer>;

/** The destination of a body that is written piece by piece. */
export type BodyWriter = {
  /** Returns a promise to wait for if the reader is too slow. Throws or rejects if the reader has left. */
  write(piece: BodyPiece): Promise<void> | undefined;
};

/** Writes a body to its end. A throw closes the connection. */
export type WrittenBody = (writer: BodyWriter) => Promise<void>;

export type ReplyBody = BodyPiece | AsyncGenerator<BodyPiece> | WrittenBody | null;

/**
 * A handler's answer. The edge adds the headers that every response has, and makes a `Response`. Each cookie
 * gets a header of its own.
 */
export type Reply = {
  status: number;
  body: ReplyBody;
  headers?: Record<string, string>;
  cookies?: readonly string[];
};

export const jsonReply = (status: number, value: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
});
