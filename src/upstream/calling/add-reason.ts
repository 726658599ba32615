import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { escapeForRegExp } from '../../base/lib/escape-for-reg-exp.ts';
import { clientParam } from '../../translation/params/client-param.ts';
import { type ScrubTerms, scrubReason } from './scrub-reason.ts';

export type ReasonContext = ScrubTerms & { isOwnProtocol: boolean };

/** The errors of the request itself whose reason only the upstream knows. */
const REASONED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'content_filter',
  'request_unprocessable',
]);

/** Each pattern matches the path of a field in a message. */
const PATHS_IN_MESSAGES = [
  // `messages.0.content: …`, `tools[0].name: …` or `#/maxTokens: …`
  /^(?:#: )?(#?\/?[A-Za-z_]\w*(?:[./[\]]+\w+)*\]?): /,
  // `Invalid value at 'contents[0]'`
  /\b(?:at|parameter:?|field:?) ['"`]([\w.[\]]+)['"`]/i,
];

/**
 * Adds the upstream's reason to a refusal of an invalid request, and the client's field at fault if it is
 * known. The reason names that field instead of the upstream's, and nothing that clients must not see.
 */
export function addReason(
  refusal: Refusal,
  error: UpstreamError | undefined,
  context: ReasonContext,
): Refusal {
  if (!error?.message || !REASONED.has(refusal.code)) return refusal;
  const path = error.param ?? pathIn(error.message);
  const param = path === undefined ? undefined : clientParam(path, context);
  const reason =
    path === undefined || param === undefined ? error.message : replacePath(error.message, path, param);
  const message = scrubReason(reason, context);
  if (message === undefined) return refusal;
  return new Refusal(refusal.code, { ...refusal.details, message, param: param ?? null });
}

function pathIn(message: string): string | undefined {
  for (const pattern of PATHS_IN_MESSAGES) {
    const path = pattern.exec(message)?.[1];
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * Replaces a path wherever it stands alone. `input` is not a part of `input_tokens` or of `tools.0.input`.
 */
function replacePath(message: string, path: string, replacement: string): string {
  const alone = new RegExp(`(?<![\\w.])${escapeForRegExp(path)}(?!\\w)`, 'g');
  return message.replace(alone, () => replacement);
}
