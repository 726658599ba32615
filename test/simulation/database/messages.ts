/** One message of the protocol: its type, and all of its bytes. */
export type Message = { type: string; bytes: Buffer };

const HEAD_BYTES = 5;

/** Writes a message. Its parts are texts that end with a zero, numbers of 32 bits, or bytes. */
export function message(type: string, ...parts: readonly (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`);
      if (Buffer.isBuffer(part)) return part;
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const query = (text: string): Buffer => message('Q', text);

/** Writes an error in the form of the server. */
export const errorMessage = (severity: 'ERROR' | 'FATAL', code: string, text: string): Buffer =>
  message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${text}`, Buffer.alloc(1));

export const ready = message('Z', Buffer.from('I'));

/** The offset of a statement's name, by the type of the message. A message `B` names a portal first. */
const nameAt: Record<string, number> = { P: HEAD_BYTES, B: HEAD_BYTES, D: HEAD_BYTES + 1, C: HEAD_BYTES + 1 };

function startOfName({ type, bytes }: Message): number | undefined {
  const start = nameAt[type];
  if (start === undefined) return undefined;
  if ((type === 'D' || type === 'C') && bytes[HEAD_BYTES] !== 'S'.charCodeAt(0)) return undefined;
  return type === 'B' ? bytes.indexOf(0, start) + 1 : start;
}

/** Returns the name of the statement of a message. It is empty if the message names none. */
export function statementOf(one: Message): string {
  const at = startOfName(one);
  return at === undefined ? '' : one.bytes.toString('latin1', at, one.bytes.indexOf(0, at));
}

/** Writes the message with another name of its statement. */
export function renamed(one: Message, name: string): Buffer {
  const { bytes } = one;
  const at = startOfName(one)!;
  const end = bytes.indexOf(0, at);
  const result = Buffer.concat([bytes.subarray(0, at), Buffer.from(name), bytes.subarray(end)]);
  result.writeInt32BE(result.length - 1, 1);
  return result;
}

/** Returns the text of a message `Q` or `P`. */
export function textOf({ type, bytes }: Message): string {
  const start = type === 'P' ? bytes.indexOf(0, HEAD_BYTES) + 1 : HEAD_BYTES;
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}

/** Returns the process id in a request to cancel. */
export const canceledBy = ({ bytes }: Message): number => bytes.readInt32BE(8);
