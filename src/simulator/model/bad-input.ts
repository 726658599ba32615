/**
 * A request that the vendor would refuse with 400. Thrown by readers, turned into the vendor's envelope at
 * the edge.
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
