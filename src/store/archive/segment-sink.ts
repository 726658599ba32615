/** A place for the bytes of a new segment. */
export interface SegmentSink {
  append(bytes: Uint8Array, at: number): Promise<void>;
}
