/** The most characters that a page shows of a text, and of a text that nobody reads. */
const MAX_TEXT = 6_000;
const MAX_DATA = 60;
/** The most values that a page shows of one list or object. */
const MAX_VALUES = 500;

/** A data URL or another long text without spaces, which nobody reads. */
const DATA = /^(data:|[A-Za-z0-9+/=_-]{512})/;

export type Shortened = { value: unknown; isCut: boolean };

/** Returns JSON data with long texts cut, so that a page never gets a whole image or document. */
export function shortenTexts(value: unknown): Shortened {
  const shortener = new Shortener();
  return { value: shortener.shorten(value), isCut: shortener.hasCut };
}

/** Shortens values, and remembers whether it has cut any. */
class Shortener {
  hasCut = false;

  shorten(value: unknown): unknown {
    if (typeof value === 'string') return this.#shortText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#firstOf(value).map((item) => this.shorten(item));
    const members = this.#firstOf(Object.entries(value));
    return Object.fromEntries(members.map(([name, member]) => [name, this.shorten(member)]));
  }

  #firstOf<T>(values: readonly T[]): readonly T[] {
    if (values.length <= MAX_VALUES) return values;
    this.hasCut = true;
    return values.slice(0, MAX_VALUES);
  }

  #shortText(text: string): string {
    const maxLength = DATA.test(text) ? MAX_DATA : MAX_TEXT;
    if (text.length <= maxLength) return text;
    this.hasCut = true;
    return `${text.slice(0, maxLength).toWellFormed()}… (${text.length - maxLength} more characters)`;
  }
}
