/**
 * The members of chat completions, legacy completions, messages and Google's answers.
 * A quotation inside a string is escaped and does not match.
 */
const NAMED = /"(?:finish_reason|stop_reason|finishReason)":\s?"(\w{1,40})"/g;
/** The last event of a response names its status. */
const LAST_EVENT = /^event: response\.(completed|incomplete|failed)\b/;
const WHOLE_RESPONSE = /^\{.{0,200}?"object":\s?"response"/s;
/** The reason is only there if the answer is incomplete. */
const INCOMPLETE = /"incomplete_details":\s?\{\s?"reason":\s?"(\w{1,40})"/;
/** The status of a whole response comes before those of its items. */
const STATUS = /"status":\s?"(completed|incomplete|failed)"/;

/**
 * Returns the reasons why answers ended that a text for a client names, in the words of the client's dialect.
 */
export function finishReasonsIn(text: string): string[] {
  const ended = LAST_EVENT.exec(text);
  if (!ended && !WHOLE_RESPONSE.test(text)) return [...text.matchAll(NAMED)].map(([, reason]) => reason!);
  const [, status = 'completed'] = ended ?? STATUS.exec(text) ?? [];
  const [, reason] = (status === 'incomplete' && INCOMPLETE.exec(text)) || [];
  return [reason ?? status];
}
