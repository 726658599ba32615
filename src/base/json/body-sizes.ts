const KILOBYTE = 1024;

export const MAX_BODY_BYTES = 10 * KILOBYTE * KILOBYTE;
/**
 * Bodies up to this size only add to a counter while they arrive, and never wait. Nearly all requests are
 * this small.
 */
export const UNCOUNTED_BODY_BYTES = 16 * KILOBYTE;
/** Bodies up to this size are read whole, once there is memory for them. Larger ones are read in steps. */
export const SMALL_BODY_BYTES = 256 * KILOBYTE;
/** The amount that a larger body books at a time. */
export const STEP_BYTES = KILOBYTE * KILOBYTE;
/** Bodies of at least this size are parsed in slices. */
export const SLICED_BODY_BYTES = 512 * KILOBYTE;
/**
 * The copies of a body in memory: the received bytes, the text, the value, the patched text, and the bytes
 * being sent upstream. Measured: 4.6 copies of an ASCII body of 9.9 MB.
 */
export const COPIES = 5;
/** The text and the value are kept until the end of the answer. */
export const KEPT_COPIES = 2;
/** Text that is not ASCII takes two bytes for each character. */
export const WIDE_COPIES = 2;
/** The part of a waiting, unread body that is in the runtime's own buffers. */
export const UNREAD_BYTES = 1.5 * KILOBYTE * KILOBYTE;
/**
 * The most bytes that one compressed byte can become with deflate. Other codings can reach a million, and get
 * the same limit.
 */
export const MAX_EXPANSION = 1_100;
/**
 * Most clients write their whole body before they read. If the gateway refuses earlier, they see a broken
 * connection.
 */
export const DRAIN_BYTES = 32 * KILOBYTE * KILOBYTE;
