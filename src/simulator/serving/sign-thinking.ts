/** The prefix that marks a signature as simulated. */
const LABEL = 'simulated-thinking:';
const CHECK_LENGTH = 16;

const digest = (text: string): string => Bun.hash(text).toString(16).padStart(CHECK_LENGTH, '0');

/** Returns an opaque signature: a checksum of the thinking, which the client must return unchanged. */
export function signThinking(text: string): string {
  const inner = digest(text);
  return Buffer.from(`${LABEL}${inner}${digest(LABEL + inner)}`).toString('base64');
}

export function isOwnSignature(signature: string | undefined): boolean {
  if (!signature) return false;
  const text = Buffer.from(signature, 'base64').toString('latin1');
  if (!text.startsWith(LABEL)) return false;
  const inner = text.slice(LABEL.length, LABEL.length + CHECK_LENGTH);
  return text.slice(LABEL.length + CHECK_LENGTH) === digest(LABEL + inner);
}
