/** Says in base64 what it is, so that nobody takes it for a vendor's. */
const LABEL = 'simulated-thinking:';
const CHECK_LENGTH = 16;

const digest = (text: string): string => Bun.hash(text).toString(16).padStart(CHECK_LENGTH, '0');

/** The opaque text that must come back unchanged: its own checksum over what was thought. */
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
