/** The original class, which replace-globals.ts replaces. */
const RealStream = ReadableStream;

/** The runtime's writer of a pushed body. */
export type Sink = {
  write(piece: string | Uint8Array): number | Promise<number>;
  flush(): void;
  close(): void;
};

/** A body that pushes its pieces, as `type: 'direct'` of the runtime does. */
export type PushedBody = { pull(sink: Sink): Promise<void>; cancel?(): void };

const isPushed = (source: object | undefined): source is PushedBody =>
  source !== undefined && 'type' in source && source.type === 'direct';

/** A stream that keeps the source of a pushed body, so that the simulated connection can drive it. */
export class PushedStream extends (RealStream as new (source?: object, strategy?: object) => ReadableStream) {
  readonly pushed: PushedBody | undefined;

  constructor(source?: object, strategy?: object) {
    const pushed = isPushed(source) ? source : undefined;
    super(...(pushed ? [] : [source, strategy]));
    this.pushed = pushed;
  }
}
