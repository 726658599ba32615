/** The server's end of an open WebSocket. */
export type SocketConnection = {
  /** Sends a text. Returns a promise to wait for if the reader is too slow. */
  send(text: string): Promise<void> | undefined;
  close(code: number, reason: string): void;
};

/** Handles one WebSocket. */
export type SocketHandler = {
  /** True if the socket has nothing to do, so that it can be closed. */
  readonly isIdle: boolean;
  opened(connection: SocketConnection): void;
  message(message: string | Uint8Array): void;
  /** Books the bytes of an unfinished message. Returns false without memory for them. */
  bookArrived(bytes: number): boolean;
  closed(): void;
};
