const KILOBYTE = 1024;

export const MAX_BODY_BYTES = 10 * KILOBYTE * KILOBYTE;
/** Bodies up to here are counted while they arrive, and never wait: nearly every request is one. */
export const UNCOUNTED_BODY_BYTES = 16 * KILOBYTE;
/** Bodies up to here are read whole, once there is room for them; larger ones in steps. */
export const SMALL_BODY_BYTES = 256 * KILOBYTE;
/** What a larger body books at a time. */
export const STEP_BYTES = KILOBYTE * KILOBYTE;
/** Bodies from here on are parsed in slices. */
export const SLICED_BODY_BYTES = 512 * KILOBYTE;
/**
 * As received, its text, its value, the patched text and what of it is on its way to the upstream: measured at 4.6 for a body of 9.9 MB of
 * ASCII.
 */
export const COPIES = 5;
/** Text and value stay until the answer is at its end. */
export const KEPT_COPIES = 2;
/** Text outside of ASCII takes two bytes for each character. */
export const WIDE_COPIES = 2;
/** What a body that waits unread has in the runtime's own buffers. */
export const UNREAD_BYTES = 1.5 * KILOBYTE * KILOBYTE;
/** What the best of compressed text may become: deflate makes no more of a byte, and other codings a million times as much. */
export const MOST_EXPANSION = 1_100;
/** Most clients write their whole body before they read: a refusal that comes earlier reaches them as a broken connection. */
export const DRAIN_BYTES = 32 * KILOBYTE * KILOBYTE;
