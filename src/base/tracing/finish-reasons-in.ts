/**
 * The member with the reason, in chat completions, legacy completions, messages and Google's answers. A
 * quotation inside a string is escaped and does not match.
 */
const REASON = /"(?:finish_reason|stop_reason|finishReason)":\s?"(\w{1,40})"/g;
/** The last event of a streamed response names its status. */
const LAST_EVENT = /^event: response\.(completed|incomplete|failed)\b/;
const WHOLE_RESPONSE = /^\{.{0,200}?"object":\s?"response"/s;
/** The first status of a whole response is its own. Those of its items follow. */
const STATUS = /"status":\s?"(completed|incomplete|failed)"/;
/** The reason of a response whose status is `incomplete`. */
const INCOMPLETE_REASON = /"incomplete_details":\s?\{\s?"reason":\s?"(\w{1,40})"/;

/**
 * Returns the reasons why answers ended that a text for a client names, in the words of the client's dialect.
 * The text is an event or a whole answer. It is searched, since a trace does not justify parsing it again.
 */
export function finishReasonsIn(text: string): string[] {
  const lastEvent = LAST_EVENT.exec(text);
  if (lastEvent || WHOLE_RESPONSE.test(text)) return [responseReason(text, lastEvent)];
  return [...text.matchAll(REASON)].flatMap(([, reason]) => reason ?? []);
}

/** Returns the status of a response, or the reason why it is incomplete. */
function responseReason(text: string, lastEvent: RegExpExecArray | null): string {
  const [, status = 'completed'] = lastEvent ?? STATUS.exec(text) ?? [];
  const [, reason = status] = (status === 'incomplete' && INCOMPLETE_REASON.exec(text)) || [];
  return reason;
}
