import type { Wire } from '../../translation/canonical/wire.ts';
import type { WholeAnswerForm } from '../../translation/contract/inference-request.ts';
import type { HttpAnswer } from '../http-client/http-answer.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** The content types of wires whose streams are not server-sent events. */
const STREAM_TYPES: Partial<Record<Wire, string>> = {
  'bedrock-converse': 'application/vnd.amazon.eventstream',
};

/**
 * The content types that a whole answer can have if it is not JSON. Some hosts answer in JSON to a request
 * for text.
 */
const FORM_TYPES: Readonly<Record<WholeAnswerForm, RegExp>> = {
  text: /^(text\/(?!html|event-stream)|application\/(json|x-subrip|octet-stream))/i,
  bytes: /^(audio\/|application\/octet-stream)/i,
};

/** The types of whole answers in place of streams. */
const WHOLE_TYPES = /^(application\/json|text\/plain)/i;

function isOfType({ stream, answerForm, wire, takesWholeAnswers }: UpstreamCall, type: string): boolean {
  if (stream && takesWholeAnswers && WHOLE_TYPES.test(type)) return true;
  if (stream) return type.includes(STREAM_TYPES[wire] ?? 'text/event-stream');
  return answerForm === undefined ? type.includes('json') : FORM_TYPES[answerForm].test(type);
}

/** Reports whether an answer has the status, form and length that the call expects. */
export const isExpectedAnswer = (call: UpstreamCall, answer: HttpAnswer): boolean =>
  answer.status === 200 &&
  isOfType(call, answer.get('content-type') ?? '') &&
  Number(answer.get('content-length')) <= call.maxBytes &&
  // A known coding is decoded, although the gateway asks for none.
  (answer.get('content-encoding') ?? 'identity') === 'identity';
