/**
 * A writer of sound files in pieces of equal length. Formats without compression have a quiet tone, the
 * others silence.
 */
export type SoundWriter = {
  readonly contentType: string;
  readonly pieceSeconds: number;
  /** Returns the bytes before the first piece. They have the label, if the format has a place for one. */
  head(pieces: number, label: string): Uint8Array;
  piece(index: number, place: { isLast: boolean }): Uint8Array;
};
