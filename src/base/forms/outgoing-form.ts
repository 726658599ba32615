import { lookUp } from '../lib/records.ts';
import { bytesOf, type Form, type FormFile, type FormPart, isFile } from './form.ts';

/** A request body that is sent in pieces. Each call of `pieces` starts from its beginning. */
export type StreamedBody = {
  readonly contentType: string;
  readonly byteLength: number;
  pieces(): AsyncIterator<Uint8Array>;
};

const PIECE_BYTES = 64 * 1024;

/**
 * Writes a form for an upstream, with other values for some text parts. The bytes of files and of other texts
 * are the client's. The lines around them are the gateway's own, so that the upstream cannot read them
 * differently from the gateway.
 */
export function outgoingForm(
  { parts, content }: Form,
  replaced: Readonly<Record<string, string>>,
  boundary: string,
): StreamedBody {
  const closing = Buffer.from(`--${boundary}--\r\n`);
  const written = parts.map((part) => writePart(part, replaced, boundary));
  const byteLength = written.reduce((sum, part) => sum + lengthOf(part), closing.length);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const { text, file } of written) {
      yield text;
      if (!file) continue;
      yield* bytesOf(file, content, PIECE_BYTES);
      yield LINE_END;
    }
    yield closing;
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, byteLength, pieces };
}

/** A text part as a whole, or the header lines of a file, whose bytes follow. */
type WrittenPart = { text: Buffer; file: FormFile | undefined };

function writePart(
  part: FormPart,
  replaced: Readonly<Record<string, string>>,
  boundary: string,
): WrittenPart {
  const head = headOf(part, boundary);
  if (isFile(part)) return { text: head, file: part };
  const text = Buffer.from(lookUp(replaced, part.name) ?? part.text);
  return { text: Buffer.concat([head, text, LINE_END]), file: undefined };
}

const lengthOf = ({ text, file }: WrittenPart): number =>
  text.length + (file ? file.byteLength + LINE_END.length : 0);

const LINE_END = Buffer.from('\r\n');

function headOf(part: FormPart, boundary: string): Buffer {
  const file = isFile(part) ? `; filename="${escapeQuotes(lastOfPath(part.filename))}"` : '';
  const type = part.type === undefined ? '' : `content-type: ${part.type}\r\n`;
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${escapeQuotes(part.name)}"${file}\r\n${type}\r\n`,
  );
}

/** Parsers differ in how they read a backslash. RFC 7578 4.2 asks receivers to ignore folders. */
const lastOfPath = (filename: string): string =>
  filename.split(/[\\/]/).findLast((name) => name !== '') ?? '';

/** Escapes quotes as browsers do. Names have no line breaks. */
const escapeQuotes = (text: string): string => text.replaceAll('"', '%22');
