import type { Frame } from '../contract/frame.ts';

/** Returns a frame as the text of a server-sent event. */
export const formatFrame = ({ event, data }: Frame): string =>
  event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
