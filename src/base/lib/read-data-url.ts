/** The beginning of a data URL. Its parts are bounded, since a client can send megabytes without a comma. */
const HEAD = /^data:([^;,]{0,200})([^,]{0,200}),/i;
const BASE64 = /;\s*base64$/i;
const CHARSET = /;\s*charset="?([\w.:-]+)/i;
const PERCENT_BYTE = /%([0-9a-f]{2})/gi;

/**
 * The content of a data URL. `mediaType` is in lower case, and empty if the URL has none.
 * `data` is in base64, and text in it is in UTF-8.
 */
export type DataUrl = { mediaType: string; data: string };

/** Reads a data URL. Returns undefined for any other address. */
export function readDataUrl(url: string): DataUrl | undefined {
  const [head, type, parameters] = HEAD.exec(url) ?? [];
  if (head === undefined || type === undefined || parameters === undefined) return undefined;
  const mediaType = type.trim().toLowerCase();
  const content = url.slice(head.length);
  // Browsers copy the character set in the head of an answer, which servers also send for PDFs and images.
  const decoder = mediaType.startsWith('text/') ? decoderOf(CHARSET.exec(parameters)?.[1]) : undefined;
  const isBase64 = BASE64.test(parameters);
  if (isBase64 && !decoder) return { mediaType, data: content };
  const bytes = isBase64 ? Buffer.from(content, 'base64') : plainBytes(content);
  return { mediaType, data: (decoder ? Buffer.from(decoder.decode(bytes)) : bytes).toString('base64') };
}

/** Returns a decoder for a character set other than UTF-8. An unknown one is read as UTF-8. */
function decoderOf(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset as ConstructorParameters<typeof TextDecoder>[0]); // throws for unknown names
  } catch {
    return undefined;
  }
}

/** Returns the bytes of content with percent-encoding. Characters that should be encoded count as UTF-8. */
const plainBytes = (content: string): Buffer =>
  Buffer.from(
    Buffer.from(content)
      .toString('latin1')
      .replace(PERCENT_BYTE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
