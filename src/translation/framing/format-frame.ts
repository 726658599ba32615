import type { Frame } from '../contract/codec.ts';

export const formatFrame = ({ event, data }: Frame): string =>
  event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
