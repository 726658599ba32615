/** The event that ends a stream of chat completions. */
export const DONE = 'data: [DONE]\n\n';

/** Formats an event without a type. */
export const dataEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Formats an event with a type, which its data repeats. */
export const typedEvent = (type: string, fields: object = {}): string =>
  `event: ${type}\n${dataEvent({ type, ...fields })}`;
