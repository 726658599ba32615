import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 's1';

type SecretKey = { id: string; bytes: Buffer };

/**
 * The reason why a text cannot be decrypted. `no-key`: none of the keys has encrypted it. `changed`: the text
 * or its place is not the one that was encrypted.
 */
export type SecretFault = 'no-key' | 'changed';

export type OpenedText = { kind: 'opened'; text: string } | { kind: SecretFault };

/** The form that `SecretKeys.parse` reads, as messages describe it. */
export const KEYS_FORM = 'one key, or two with a comma between, each the base64 text of 32 bytes';
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** The master keys of stored secrets. The first one encrypts, and all of them decrypt. */
export class SecretKeys {
  readonly #keys: readonly SecretKey[];

  private constructor(keys: readonly SecretKey[]) {
    this.#keys = keys;
  }

  static readonly none = new SecretKeys([]);

  /**
   * Reads one or two keys of 32 bytes in base64, with a comma between. Returns undefined if the text is
   * anything else.
   */
  static parse(text: string): SecretKeys | undefined {
    const keys = text.split(',').map((each) => keyOf(each.trim()));
    return keys.length <= 2 && keys.every((key) => key !== undefined) ? new SecretKeys(keys) : undefined;
  }

  /** Makes a new key, in the form that `parse` reads. */
  static generate(): string {
    return randomBytes(KEY_BYTES).toString('base64');
  }

  /** Reports whether secrets can be stored. */
  get canSeal(): boolean {
    return this.#keys.length > 0;
  }

  /**
   * Encrypts a text. `place` names the row and the content that the text belongs to. Only the same place can
   * decrypt it.
   */
  seal(text: string, place: string): string {
    const key = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const pieces = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return [VERSION, key.id, Buffer.concat(pieces).toString('base64url')].join('.');
  }

  /** Decrypts a text that was encrypted at this place. */
  open(sealed: string, place: string): OpenedText {
    const [version, id, content = ''] = sealed.split('.');
    if (version !== VERSION) return { kind: 'changed' };
    const key = this.#keys.find((known) => known.id === id);
    if (!key) return { kind: 'no-key' };
    const bytes = Buffer.from(content, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return { kind: 'changed' };
    const nonce = bytes.subarray(0, NONCE_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return { kind: 'opened', text: Buffer.concat([text, decipher.final()]).toString('utf8') };
    } catch {
      return { kind: 'changed' }; // the tag does not match
    }
  }

  /** Reports whether a text is encrypted with the first key. */
  isCurrent(sealed: string): boolean {
    return sealed.split('.')[1] === this.#keys[0]?.id;
  }

  /** Returns the key of `text`, followed by the first of these keys. */
  precededBy(text: string): SecretKeys | undefined {
    const parsed = SecretKeys.parse(text);
    const first = parsed && parsed.#keys.length === 1 ? parsed.#keys[0] : undefined;
    return first && new SecretKeys([first, ...this.#keys.slice(0, 1)]);
  }

  /** Returns the first key alone. */
  newest(): SecretKeys {
    return new SecretKeys(this.#keys.slice(0, 1));
  }

  /** Returns the keys in the form that `parse` reads. */
  format(): string {
    return this.#keys.map(({ bytes }) => bytes.toString('base64')).join(',');
  }
}

function keyOf(text: string): SecretKey | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const id = createHash('sha256').update('tollgate secret key id').update(bytes).digest('hex').slice(0, 8);
  return bytes.length === KEY_BYTES ? { id, bytes } : undefined;
}
