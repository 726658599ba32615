import { redactKeys } from '../../base/lib/redact-text.ts';

/** A rule of the configuration: what fits the expression is replaced. */
export type RedactionRule = { pattern: string; replacement: string };

/**
 * Removes everything that looks like a key, and what the rules name. An expression can take long, so a thread
 * runs this.
 */
export function redactContent(text: string, rules: readonly RedactionRule[]): string {
  let redacted = redactKeys(text);
  for (const { pattern, replacement } of rules)
    redacted = redacted.replace(new RegExp(pattern, 'gu'), () => replacement);
  return redacted;
}
