import type { EnvelopeStyle } from './envelope.ts';

const MESSAGES = '/v1/messages';

/** The style of the errors of an address. Clients of the Messages API also read managed settings. */
export function styleOfPath(path: string): EnvelopeStyle {
  const isForMessages = path.startsWith(MESSAGES)
    ? path.length === MESSAGES.length || path.charCodeAt(MESSAGES.length) === 47
    : path === '/managed/settings';
  return isForMessages ? 'messages' : 'openai';
}
