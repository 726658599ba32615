/** The client has left or has stopped reading. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}
