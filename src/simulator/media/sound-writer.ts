/** A sound file that is written in pieces of equal length: silence, or a quiet tone where samples are not compressed. */
export type SoundWriter = {
  readonly contentType: string;
  readonly pieceSeconds: number;
  /** What stands before the first piece. It has the label, if the format has room for one. */
  head(pieces: number, label: string): Uint8Array;
  piece(index: number, isLast: boolean): Uint8Array;
};
