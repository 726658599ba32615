import type { EnvelopeStyle } from './envelope.ts';

const MESSAGES = '/v1/messages';
/** Newer versions of Google's clients call the methods of a model and interactions under `/v1`. */
const GOOGLE_NEWER = /^\/v1\/(?:models\/.+:\w+|interactions(?:\/.*)?)$/;

/** Returns the style of the errors of an address. Clients of the Messages API also read managed settings. */
export function styleOfPath(path: string): EnvelopeStyle {
  const isForMessages = path.startsWith(MESSAGES)
    ? path.length === MESSAGES.length || path.charCodeAt(MESSAGES.length) === 47
    : path === '/managed/settings';
  if (isForMessages) return 'messages';
  return path.startsWith('/v1beta/') || GOOGLE_NEWER.test(path) ? 'google' : 'openai';
}
