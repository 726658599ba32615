/**
 * The members of chat completions, legacy completions and messages.
 * A quotation inside a string is escaped and does not match.
 */
const NAMED = /"(?:finish_reason|stop_reason)":\s?"(\w{1,40})"/g;
/** The end of a response. Its reason is only there if the answer is incomplete. */
const RESPONSE_END =
  /^event: response\.(?:completed|incomplete|failed)\b|^\{.{0,200}?"object":\s?"response"/s;
const INCOMPLETE = /"incomplete_details":\s?\{\s?"reason":\s?"(\w{1,40})"/;
const STATUS = /"status":\s?"(completed|incomplete|failed)"/g;

/**
 * Returns the reasons why answers ended that a text for a client names, in the words of the client's dialect.
 */
export function finishReasonsIn(text: string): string[] {
  if (!RESPONSE_END.test(text)) return [...text.matchAll(NAMED)].map(([, reason]) => reason!);
  const [, reason] = INCOMPLETE.exec(text) ?? [];
  const status = [...text.matchAll(STATUS)].at(-1)?.[1];
  return [reason ?? status ?? 'completed'];
}
