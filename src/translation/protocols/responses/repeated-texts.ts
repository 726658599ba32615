/** Strings shorter than this, in UTF-16 units, cost less than a marker. */
export const LARGE_LENGTH = 64 * 1024;
/** The number of texts to keep. The last events of a stream repeat each of its large texts. */
const MAX_KEPT = 4;
/** Stands for a large text. No text can contain it, since it is chosen at random. */
const MARK = crypto.randomUUID();
const MARKED = new RegExp(`"${MARK}:(\\d+)"`, 'g');

type KeptText = { text: string; json: string };

/**
 * Converts values that repeat the same large texts into JSON.
 * Each text is escaped once, which takes 10 ms for 10 MB.
 */
export class RepeatedTexts {
  #recentTexts: KeptText[] = [];

  stringify(value: object): string {
    const largeTexts: string[] = [];
    const json = JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== 'string' || member.length < LARGE_LENGTH) return member;
      largeTexts.push(this.#jsonOf(member));
      return `${MARK}:${largeTexts.length - 1}`;
    });
    return json.replace(MARKED, (_, index: string) => largeTexts[Number(index)]!);
  }

  #jsonOf(text: string): string {
    const recent = this.#recentTexts.find((recent) => recent.text === text);
    if (recent) return recent.json;
    const json = JSON.stringify(text);
    this.#recentTexts = [{ text, json }, ...this.#recentTexts].slice(0, MAX_KEPT);
    return json;
  }
}
