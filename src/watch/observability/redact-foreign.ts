import { redactText } from '../../base/lib/redact-text.ts';

const MAX_SHOWN = 200;

/** Redacts and shortens text from the client, which can contain a key by mistake. */
export const redactForeign = (text: string): string => redactText(text).slice(0, MAX_SHOWN);

const MAX_KEPT = 1_000;
const MAX_KEPT_LENGTH = 500;
const recurringTexts = new Map<string, string>();

/** Redacts a text that recurs with nearly every request. Redacting one anew costs several microseconds. */
export function redactRecurring(text: string): string {
  const known = recurringTexts.get(text);
  if (known !== undefined) return known;
  const redacted = redactForeign(text);
  if (recurringTexts.size >= MAX_KEPT) recurringTexts.clear();
  if (text.length <= MAX_KEPT_LENGTH) recurringTexts.set(text, redacted);
  return redacted;
}
