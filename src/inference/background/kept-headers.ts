/** Headers with credentials, and those that describe the body. */
const NEVER_KEPT = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'cookie',
  'content-length',
  'content-encoding',
]);
/** Matches the gateway's own headers, and those that name the client or a vendor's preview. */
const KEPT_NAMES = /^(x-(?!forwarded-)|host$|openai-|anthropic-|user-agent$)/;
const MAX_LENGTH = 1_000;

/** Returns the headers that change how a request is answered. They are stored with the response. */
export function keptHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers)
    if (KEPT_NAMES.test(name) && !NEVER_KEPT.has(name) && value.length <= MAX_LENGTH) kept[name] = value;
  return kept;
}
