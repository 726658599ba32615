import { catalogue } from '../../src/base/errors/catalogue.ts';
import type { Answer, Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';

type Style = 'openai' | 'messages' | 'google';

/** Finds faults of an error's code and message, for every envelope. */
export function errorProblems({ code, message }: Json): string[] {
  const isKnown = typeof code === 'string' && Object.hasOwn(catalogue, code);
  return [
    ...(isKnown ? [] : [`a code that no list has: ${code}`]),
    ...(code === 'internal_error' ? ['an internal error'] : []),
    ...(typeof message === 'string' && message !== '' ? [] : ['an error without a message']),
    ...(/\n {4}at |\.ts:\d+|TypeError|SyntaxError|undefined is not|\[object Object\]/.test(message)
      ? [`a stack, or words of the runtime: ${message}`]
      : []),
  ];
}

/**
 * Finds faults of a refusal: it must be exactly its dialect's envelope, with a documented status and code.
 */
export function envelopeProblems(answer: Answer, style: Style): string[] {
  const error = answer.body?.error;
  if (typeof error !== 'object' || error === null) return [`status ${answer.status} without an envelope`];
  try {
    if (style === 'google') return googleProblems(answer);
    if (style === 'messages') expectMessagesError(answer, answer.status, [error.type, error.code]);
    else expectRefusal(answer, answer.status, error.code, error.param);
  } catch (problem) {
    return [`an envelope that is not exact: ${problem}`];
  }
  const status = catalogue[error.code as keyof typeof catalogue]?.status;
  const isStatus =
    status === answer.status || (answer.status === 529 && status === 503 && style === 'messages');
  return [...errorProblems(error), ...(isStatus ? [] : [`${error.code} with status ${answer.status}`])];
}

/** Finds faults of an error in Google's form, which may also be the last chunk of a stream. */
export function googleErrorProblems({ code, message, status, details }: Json): string[] {
  const own = details?.[0]?.metadata?.code;
  const isWhole =
    Number.isInteger(code) && /^[A-Z_]+$/.test(status) && details?.[0]?.reason === own?.toUpperCase();
  return [
    ...(isWhole ? [] : ['an error that is not that of Google']),
    ...errorProblems({ code: own, message }),
  ];
}

function googleProblems({ status, body }: Answer): string[] {
  const { error } = body;
  const isStatus = catalogue[error.details?.[0]?.metadata?.code as keyof typeof catalogue]?.status === status;
  return [
    ...googleErrorProblems(error),
    ...(isStatus && error.code === status ? [] : [`${error.code} with status ${status}`]),
  ];
}
