/**
 * A sound file that is written in pieces of equal length: silence, or a quiet tone
 * where samples are not compressed.
 */
export type SoundWriter = {
  readonly contentType: string;
  readonly pieceSeconds: number;
  /** Returns the bytes before the first piece. They have the label, if the format has a place for one. */
  head(pieces: number, label: string): Uint8Array;
  piece(index: number, place: { isLast: boolean }): Uint8Array;
};
