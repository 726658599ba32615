import { lookUp } from '../lib/records.ts';
import { bytesOf, type Form, type FormPart, isFile } from './form.ts';

/** A request body that is sent in pieces. Each call of `pieces` starts from its beginning. */
export type StreamedBody = {
  readonly contentType: string;
  readonly byteLength: number;
  pieces(): AsyncIterator<Uint8Array>;
};

const PIECE_BYTES = 64 * 1024;

/**
 * Writes a form for an upstream, with other values for some text parts.
 * The bytes of files and of other texts are the client's. The lines around them are the gateway's own, so
 * that the upstream cannot read them differently from the gateway.
 */
export function outgoingForm(
  { parts, content }: Form,
  replaced: Readonly<Record<string, string>>,
  boundary: string,
): StreamedBody {
  const closing = Buffer.from(`--${boundary}--\r\n`);
  const written = parts.map((part) => {
    const text = isFile(part) ? undefined : Buffer.from(lookUp(replaced, part.name) ?? part.text);
    return { part, head: headOf(part, boundary), text };
  });
  const byteLength = written.reduce(
    (sum, { part, head, text }) => sum + head.length + (isFile(part) ? part.byteLength : text!.length) + 2,
    closing.length,
  );
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const { part, head, text } of written) {
      if (isFile(part)) {
        yield head;
        yield* bytesOf(part, content, PIECE_BYTES);
        yield LINE_END;
      } else yield Buffer.concat([head, text!, LINE_END]);
    }
    yield closing;
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, byteLength, pieces };
}

const LINE_END = Buffer.from('\r\n');

function headOf(part: FormPart, boundary: string): Buffer {
  const file = isFile(part) ? `; filename="${escaped(lastOfPath(part.filename))}"` : '';
  const type = part.type === undefined ? '' : `content-type: ${part.type}\r\n`;
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(part.name)}"${file}\r\n${type}\r\n`,
  );
}

/** Parsers differ in how they read a backslash. RFC 7578 4.2 asks receivers to ignore folders. */
const lastOfPath = (filename: string): string =>
  filename.split(/[\\/]/).findLast((name) => name !== '') ?? '';

/** As browsers do it. Names have no line breaks. */
const escaped = (text: string): string => text.replaceAll('"', '%22');
