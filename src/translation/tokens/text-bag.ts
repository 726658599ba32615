/** Shorter ones (names, roles, kinds) stand many times in one body. */
const SHORT = 64;

/** Texts, each as often as it was put in. */
export class TextBag {
  /** How often each of the short ones is in it. */
  readonly short = new Map<string, number>();
  readonly long: string[] = [];

  add(text: string): void {
    if (text.length > SHORT) this.long.push(text);
    else if (text !== '') this.short.set(text, (this.short.get(text) ?? 0) + 1);
  }
}
