import type { Json } from '../../support/call.ts';
import { HIDDEN } from '../../support/recording-upstream.ts';
import { envelopeProblems } from '../envelope-problems.ts';
import { type FuzzDialect, fuzzDialects } from '../fuzz-dialects.ts';
import { UPSTREAM_KEY } from '../fuzz-wires.ts';
import { answerProblems } from '../upstream/answer-problems.ts';
import type { RawAnswer } from './answers-in.ts';

/** Lists the promises that an answer to a request of this method breaks. `port` is the upstream's. */
export const rawAnswerProblems = (answer: RawAnswer, method: string, port: number): string[] => [
  ...contentProblems(answer, method),
  ...leaksIn(answer, port),
];

function contentProblems({ status, headers, text }: RawAnswer, method: string): string[] {
  // The upstream does not understand every request; nothing else may fail.
  if (status >= 500 && text !== '' && !text.includes('upstream_unavailable'))
    return [`status ${status}: ${text.slice(0, 300)}`];
  if (method === 'HEAD' || status === 204 || status === 304) return [];
  if (status >= 400)
    return text === '' ? runtimeProblems(status, headers) : refusalProblems({ status, headers, text });
  if (isPage(headers, text)) return [];
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const body = isStream ? undefined : parsed(text);
  const dialect = dialectOf(body, text);
  if (!dialect) return [];
  const model = JSON.parse(`"${/"(?:model|modelVersion)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? ''}"`);
  return answerProblems(
    { dialect, model, isStream, showsUsage: false, isTranslated: true },
    { status, headers, text, body },
  );
}

const dialects = new Map(fuzzDialects.map((dialect) => [dialect.name, dialect]));

/** Classifies an answer by its content. */
function dialectOf(body: Json, text: string): FuzzDialect | undefined {
  if (body?.object === 'response' || /^event: response\./.test(text)) return dialects.get('responses');
  if (/"object":"chat\.completion/.test(text)) return dialects.get('chat');
  if (/"type":"message(_start)?"/.test(text.slice(0, 400))) return dialects.get('messages');
  if (/"(candidates|promptFeedback)":/.test(text)) return dialects.get('gemini');
  return /"object":"text_completion/.test(text) ? dialects.get('completions') : undefined;
}

/** The runtime's own refusals have no body and end the connection. */
const runtimeProblems = (status: number, headers: Headers): string[] =>
  [400, 413, 431, 505].includes(status) && headers.get('connection')?.toLowerCase() === 'close'
    ? []
    : [`status ${status} without a body`];

/** The error of the list of models for an unknown model. */
const isUnknownModel = ({ error }: Json): boolean =>
  error?.type === 'not_found' && Object.keys(error).join() === 'type,message';

function refusalProblems({ status, headers, text }: RawAnswer): string[] {
  const body = parsed(text);
  if (status === 404 && body && isUnknownModel(body)) return [];
  const style = Array.isArray(body?.error?.details) ? 'google' : 'openai';
  return envelopeProblems({ status, headers, text, body }, body?.type === 'error' ? 'messages' : style);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pages of the documentation quote examples, and the metrics of operators name the providers. */
const isPage = (headers: Headers, text: string): boolean =>
  /^(text\/html|text\/markdown)/.test(headers.get('content-type') ?? '') ||
  text.startsWith('{"openapi":') ||
  text.startsWith('# HELP ');

function leaksIn({ headers, text }: RawAnswer, port: number): string[] {
  const shown = [isPage(headers, text) ? '' : text, ...[...headers].flat()].join('\n').toLowerCase();
  return [HIDDEN, `:${port}`, UPSTREAM_KEY]
    .filter((word) => shown.includes(word))
    .map((word) => `a trace of the upstream: ${word}`);
}
