import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { Providers } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { clientParam } from '../../translation/params/client-param.ts';
import { scrubReason } from './scrub-reason.ts';

export type ReasonContext = {
  target: Pick<Target, 'provider' | 'upstreamModel'>;
  /** The public id of the model. */
  model: string;
  /** The client's own body. */
  body: Readonly<Record<string, unknown>>;
  isOwnProtocol: boolean;
  /** All providers, because an upstream can name another one. */
  providers: Providers;
};

/** The errors of the request itself whose reason only the upstream knows. */
const REASONED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'content_filter',
  'request_unprocessable',
]);

/**
 * Matches a path at the start of a message, as in `messages.0.content: …`, `#/maxTokens: …` and
 * `Invalid value at 'contents[0]'`.
 */
const PLACES = [
  /^(?:#: )?(#?\/?[A-Za-z_]\w*(?:[./[\]]+\w+\]?)*): /,
  /\b(?:at|parameter:?|field:?) ['"`]([\w.[\]]+)['"`]/i,
];

/**
 * Adds the upstream's reason to a refusal of an invalid request, and the client's
 * field at fault if it is known.
 */
export function addReason(
  refusal: Refusal,
  error: UpstreamError | undefined,
  context: ReasonContext,
): Refusal {
  if (!error?.message || !REASONED.has(refusal.code)) return refusal;
  const named = error.param ?? placeIn(error.message);
  const param = named === null ? undefined : clientParam(named, context);
  const renamed =
    param === undefined || named === null ? error.message : error.message.replaceAll(named, param);
  const message = scrubReason(renamed, context);
  if (message === undefined) return refusal;
  return new Refusal(refusal.code, { ...refusal.details, message, param: param ?? null });
}

function placeIn(message: string): string | null {
  for (const pattern of PLACES) {
    const place = pattern.exec(message)?.[1];
    if (place !== undefined) return place;
  }
  return null;
}
