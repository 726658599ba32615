export type ImageSize = { width: number; height: number };

/** Far enough to get past the metadata that cameras write before the size. */
const MAX_BYTES = 256 * 1024;
const BASE64_PER_BYTE = 4 / 3;

/** Reads the size from the file's header. Returns undefined for unknown formats. */
export function readImageSize(base64: string): ImageSize | undefined {
  const bytes = Buffer.from(base64.slice(0, MAX_BYTES * BASE64_PER_BYTE), 'base64');
  for (const read of readers) {
    const size = read(bytes);
    if (size && size.width > 0 && size.height > 0) return size;
  }
  return undefined;
}

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || !startsWith(bytes, '\x89PNG')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !startsWith(bytes, 'GIF8')) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Reads the size from lossy, lossless or extended files, which store it in different places. */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined;
  if (startsWith(bytes, 'VP8X', 12))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (startsWith(bytes, 'VP8L', 12)) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** Frame headers are 0xC0 to 0xCF, except three markers of tables among them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (!startsWith(bytes, '\xff\xd8')) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes[at + 1]!))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

const readers = [readPng, readJpeg, readGif, readWebp];
