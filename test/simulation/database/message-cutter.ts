import type { Message } from './messages.ts';

const STARTUP = 196_608;
const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
const startups: Record<number, string> = {
  [STARTUP]: 'startup',
  [SSL_REQUEST]: 'ssl',
  [CANCEL_REQUEST]: 'cancel',
};

/** Cuts the bytes of a client into messages. Messages have no type byte up to the startup message. */
export class MessageCutter {
  #received = Buffer.alloc(0);
  #hasStarted = false;

  take(bytes: Buffer): Message[] {
    this.#received = Buffer.concat([this.#received, bytes]);
    const messages: Message[] = [];
    for (let message = this.#next(); message; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Message | undefined {
    const lengthAt = this.#hasStarted ? 1 : 0;
    const end = endOfFirst(this.#received, lengthAt);
    if (end === undefined) return undefined;
    const bytes = this.#received.subarray(0, end);
    this.#received = this.#received.subarray(end);
    const type = this.#hasStarted ? String.fromCharCode(bytes[0]!) : startups[bytes.readInt32BE(4)];
    if (type === undefined) throw new Error('the simulated database does not know a first message');
    this.#hasStarted ||= type === 'startup';
    return { type, bytes };
  }
}

/** Returns the end of the first message. Undefined if it has not arrived completely. */
function endOfFirst(bytes: Buffer, lengthAt: number): number | undefined {
  if (bytes.length < lengthAt + 4) return undefined;
  const end = lengthAt + bytes.readInt32BE(lengthAt);
  return bytes.length < end ? undefined : end;
}

/** Cuts an answer of the server into messages. */
export function cutAnswer(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push({ type: String.fromCharCode(bytes[at]!), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return messages;
}
