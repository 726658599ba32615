import { elementsOf } from '../../base/json/slice-json.ts';
import { openBytes, sealBytes } from '../../base/lib/seal-bytes.ts';
import { isReasoning, SEALED_REASONING } from '../../inference/responses/split-list.ts';

/**
 * The beginning of an encrypted text.
 * No plain content begins like this, since it is JSON or a stream of events.
 */
const SEALED = 'sealed1.';
const SEALED_ITEM = '"sealed1';
/** Shorter texts are not compressed, since that would make them longer. */
const MIN_COMPRESSED = 256;
const PLAIN = 0;
const COMPRESSED = 1;

const isSealed = (item: string): boolean => item.startsWith(SEALED_ITEM);

export type ContentSealParts = {
  /** True if new content is encrypted, which needs a key. */
  isOn: boolean;
  key: Uint8Array | undefined;
  /** Looks for the key again. Another process may have made it since. */
  loadKey(): Promise<Uint8Array | undefined>;
};

/**
 * Encrypts the content of customers before a store gets it, and decrypts what the store returns. Content from
 * before the encryption was on stays plain and readable. `place` names the record that a text belongs to, so
 * that a text in the place of another is not accepted.
 */
export class ContentSeal {
  readonly #parts: ContentSealParts;
  #key: Uint8Array | undefined;

  constructor(parts: ContentSealParts) {
    this.#parts = parts;
    this.#key = parts.key;
  }

  get isOn(): boolean {
    return this.#parts.isOn;
  }

  seal(text: string, place: string): string {
    return this.#parts.isOn && text !== '' ? this.#encrypt(text, place) : text;
  }

  async open(text: string, place: string): Promise<string> {
    if (!text.startsWith(SEALED)) return text;
    return this.#decrypt(text, { place, key: await this.#findKey() });
  }

  /** Encrypts each item of a JSON list, so that the list can still be divided and joined. */
  sealList(list: string, place: string): string {
    if (!this.#parts.isOn) return list;
    const items = elementsOf(list).map((item) => {
      const sealed = JSON.stringify(this.#encrypt(item, place));
      return isReasoning(item) ? sealed.replace(SEALED_ITEM, SEALED_REASONING) : sealed;
    });
    return `[${items.join(',')}]`;
  }

  async openList(list: string, place: string): Promise<string> {
    if (!list.includes(SEALED_ITEM)) return list;
    const elements = elementsOf(list);
    // Plain content may quote such a text.
    if (!elements.some(isSealed)) return list;
    const key = await this.#findKey();
    const items = elements.map((item) =>
      isSealed(item)
        ? this.#decrypt(JSON.parse(item.replace(SEALED_REASONING, SEALED_ITEM)), { place, key })
        : item,
    );
    return `[${items.join(',')}]`;
  }

  #encrypt(text: string, place: string): string {
    const bytes = Buffer.from(text);
    const isCompressed = bytes.length >= MIN_COMPRESSED;
    const content = isCompressed ? Bun.zstdCompressSync(bytes) : bytes;
    const form = Buffer.of(isCompressed ? COMPRESSED : PLAIN);
    return SEALED + sealBytes(Buffer.concat([form, content]), { key: this.#key!, place });
  }

  #decrypt(sealed: string, use: { key: Uint8Array; place: string }): string {
    const bytes = openBytes(sealed.slice(SEALED.length), use);
    if (!bytes) throw new Error('Stored content was changed, or was encrypted with another key.');
    const content = bytes.subarray(1);
    return Buffer.from(bytes[0] === COMPRESSED ? Bun.zstdDecompressSync(content) : content).toString('utf8');
  }

  async #findKey(): Promise<Uint8Array> {
    this.#key ??= await this.#parts.loadKey();
    if (this.#key) return this.#key;
    throw new Error('Stored content is encrypted, and this process cannot read the key of stored content.');
  }
}
