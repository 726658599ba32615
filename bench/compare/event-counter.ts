/** The sizes of chunks, which stand between the bytes of the body. */
const framing = /\r\n[0-9a-f]{1,8}\r\n/gi;

/** Counts the content events in the bytes of an answer, whatever the chunks in which they arrive. */
export class EventCounter {
  #pending = '';
  #isBody = false;
  content = 0;
  isEnded = false;

  /** Returns the number of content events that became complete. */
  add(text: string): number {
    this.#pending += text;
    if (!this.#isBody && !this.#skipHead()) return 0;
    const end = Math.max(this.#pending.lastIndexOf('\n\n'), this.#pending.lastIndexOf('\r\n\r\n'));
    if (end < 0) return 0;
    const whole = this.#pending.slice(0, end).replace(framing, '');
    this.#pending = this.#pending.slice(end);
    const before = this.content;
    for (const line of whole.split('\n')) {
      if (!line.startsWith('data:')) continue;
      if (line.includes(' word')) this.content += 1;
      else if (line.includes('[DONE]')) this.isEnded = true;
    }
    return this.content - before;
  }

  /** The end of the head stays, because the size of the first chunk follows it. */
  #skipHead(): boolean {
    const end = this.#pending.indexOf('\r\n\r\n');
    if (end < 0) return false;
    this.#isBody = true;
    this.#pending = this.#pending.slice(end + 2);
    return true;
  }
}
