/**
 * Checks the name of an event that is passed on to a client.
 * A line break in the name would let the upstream start an event of its own.
 */
export function eventName(type: unknown): string {
  if (typeof type !== 'string') throw new SyntaxError('the event has no type');
  if (type.includes('\n') || type.includes('\r'))
    throw new SyntaxError('the event type contains a line break');
  return type;
}
