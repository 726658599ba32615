/** Four hours for 25 MB, which is 14.5 kbit/s. */
const UNKNOWN_BYTES_PER_SECOND = (25 * 1024 * 1024) / (4 * 3_600);

/** Returns the length that sound of an unknown kind counts as. */
export const boundOfBytes = (byteLength: number): number => byteLength / UNKNOWN_BYTES_PER_SECOND;
