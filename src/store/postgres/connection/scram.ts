import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);
const KEY_BYTES = 32;
/** No channel binding. */
const GS2_HEADER = 'n,,';
const MAX_ITERATIONS = 10_000_000;

/**
 * One authentication with SCRAM-SHA-256 (RFC 5802 and 7677).
 * The server proves that it knows the password too.
 */
export class Scram {
  readonly #password: string;
  readonly #nonce: string;
  #serverSignature: Buffer | undefined;

  constructor(password: string, nonce = randomBytes(18).toString('base64')) {
    this.#password = password.normalize('NFKC');
    this.#nonce = nonce;
  }

  /** Returns the first message. It names no user, since Postgres knows the user from the startup message. */
  first(): string {
    return `${GS2_HEADER}${this.#firstBare}`;
  }

  async final(serverFirst: string): Promise<string> {
    const { r: nonce = '', s: salt = '', i: iterations = '' } = attributesOf(serverFirst);
    if (!nonce.startsWith(this.#nonce) || !salt || !(Number(iterations) <= MAX_ITERATIONS))
      throw new Error('the server answered the authentication with an invalid message');
    const salted = await derive(
      this.#password,
      Buffer.from(salt, 'base64'),
      Number(iterations),
      KEY_BYTES,
      'sha256',
    );
    const withoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${nonce}`;
    const message = `${this.#firstBare},${serverFirst},${withoutProof}`;
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), message);
    const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
    return `${withoutProof},p=${proof.toString('base64')}`;
  }

  verify(serverFinal: string): void {
    const signature = Buffer.from(attributesOf(serverFinal).v ?? '', 'base64');
    const expected = this.#serverSignature;
    if (expected?.length === signature.length && timingSafeEqual(expected, signature)) return;
    throw new Error('the server does not know the password of the user');
  }

  get #firstBare(): string {
    return `n=,r=${this.#nonce}`;
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const attributesOf = (message: string): Record<string, string | undefined> =>
  Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
