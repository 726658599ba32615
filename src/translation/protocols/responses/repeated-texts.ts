/** Strings shorter than this, in UTF-16 units, cost less than a marker. */
export const LARGE_LENGTH = 64 * 1024;
/** The texts to keep: the last events of a stream repeat each of its large texts. */
const MAX_KEPT = 4;
/** No text can contain it, since it is chosen at random. */
const MARK = crypto.randomUUID();
const marked = new RegExp(`"${MARK}:(\\d+)"`);

type KeptText = { text: string; json: string };

/**
 * Converts values that repeat the same large texts into JSON.
 * Each text is escaped once, which takes 10 ms for 10 MB.
 */
export class RepeatedTexts {
  #recentTexts: KeptText[] = [];

  stringify(value: object): string {
    const found: string[] = [];
    const json = JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== 'string' || member.length < LARGE_LENGTH) return member;
      return `${MARK}:${found.push(this.#jsonOf(member)) - 1}`;
    });
    if (found.length === 0) return json;
    return json
      .split(marked)
      .map((piece, index) => (index % 2 === 1 ? found[Number(piece)]! : piece))
      .join('');
  }

  #jsonOf(text: string): string {
    const recent = this.#recentTexts.find((recent) => recent.text === text);
    if (recent) return recent.json;
    const json = JSON.stringify(text);
    this.#recentTexts = [{ text, json }, ...this.#recentTexts].slice(0, MAX_KEPT);
    return json;
  }
}
