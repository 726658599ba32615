import { escapeHtml } from '../../base/lib/escape-html.ts';

/** Text that is already markup and must not be escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value that a template can contain. Nothing is written for `false`, `null` and `undefined`. */
export type Inset = Html | string | number | false | null | undefined | readonly Inset[];

function markupOf(inset: Inset): string {
  if (inset instanceof Html) return inset.text;
  if (typeof inset === 'string' || typeof inset === 'number') return escapeHtml(String(inset));
  return inset ? inset.map(markupOf).join('') : '';
}

/** A template tag that escapes every inset except markup. */
export const html = (strings: TemplateStringsArray, ...insets: Inset[]): Html =>
  new Html(strings.reduce((text, part, index) => text + markupOf(insets[index - 1]) + part));

/** Converts a sentence to markup. Text in backticks becomes code. */
export const prose = (sentence: string): Html =>
  new Html(escapeHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>'));
