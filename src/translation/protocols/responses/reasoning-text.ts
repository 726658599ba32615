import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';

/** Separates the sections of a summary. Each section is a paragraph with a title. */
export const SUMMARY_SEPARATOR = '\n\n';

type ReasoningText = { form: 'full' | 'summary'; text: string };

/** Returns the text of a reasoning item: its summary, else the full reasoning. */
export function reasoningText(item: JsonObject): ReasoningText {
  const summary = texts(item.summary);
  const content = texts(item.content);
  return summary.length === 0 && content.length > 0
    ? { form: 'full', text: content.join('') }
    : { form: 'summary', text: summary.join(SUMMARY_SEPARATOR) };
}

const texts = (list: unknown): string[] => listOf(list).flatMap((part) => textOf(objectOf(part).text) ?? []);
