/** The original class, which replace-globals.ts replaces. */
const RealResponse = Response;

type Body = ConstructorParameters<typeof RealResponse>[0];

/** A response that keeps its body as it was given. */
export class SentResponse extends RealResponse {
  readonly sent: Body;

  constructor(body?: Body, options?: ResponseInit) {
    super(body, options);
    this.sent = body;
  }
}
