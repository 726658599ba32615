/** Shorter texts (names, roles, kinds) often repeat in a body. */
const SHORT = 64;

/** A multiset of texts. */
export class TextBag {
  /** The short texts and how often each occurs. */
  readonly short = new Map<string, number>();
  readonly long: string[] = [];

  add(text: string): void {
    if (text.length > SHORT) this.long.push(text);
    else if (text !== '') this.short.set(text, (this.short.get(text) ?? 0) + 1);
  }

  /** Returns a bag with these texts and further ones. */
  with(texts: readonly string[]): TextBag {
    const bag = new TextBag();
    for (const [text, times] of this.short) bag.short.set(text, times);
    bag.long.push(...this.long);
    for (const text of texts) bag.add(text);
    return bag;
  }
}
