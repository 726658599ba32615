const RealResponse = Response;
const RealStream = ReadableStream;

/** The runtime's writer of a pushed body. */
export type Sink = {
  write(piece: string | Uint8Array): number | Promise<number>;
  flush(): void;
  close(): void;
};

/** A body that pushes its pieces, as `type: 'direct'` of the runtime does. */
export type PushedBody = { pull(sink: Sink): Promise<void>; cancel?(): void };

type Source = { type?: string } | undefined;

/** A stream that keeps the source of a pushed body, so that the simulated connection can drive it. */
export class PushedStream extends (RealStream as new (source?: object, strategy?: object) => ReadableStream) {
  readonly pushed: PushedBody | undefined;

  constructor(source?: Source, strategy?: object) {
    const isPushed = source?.type === 'direct';
    super(isPushed ? undefined : source, isPushed ? undefined : strategy);
    this.pushed = isPushed ? (source as unknown as PushedBody) : undefined;
  }
}

type Body = ConstructorParameters<typeof RealResponse>[0];

/** A response that keeps its body as it was given. */
export class SentResponse extends RealResponse {
  readonly sent: Body;

  constructor(body?: Body, options?: ResponseInit) {
    super(body, options);
    this.sent = body;
  }
}
