/**
 * A request that the vendor would refuse with 400. Readers throw it, and the server turns it into the
 * vendor's error envelope.
 */
export class BadInput extends Error {
  constructor(
    message: string,
    readonly param: string | null = null,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}
