import type { Canvas } from './canvas.ts';

const HAS_XMP = 0x04;

/** Writes a lossless WebP (RFC 9649) of one color. Each code has one symbol, so the pixels take no bits. */
export function webpOf({ width, height, color }: Canvas, label: string): Buffer {
  const head = Buffer.alloc(10);
  head[0] = HAS_XMP;
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  const [red, green, blue] = color;
  const bits = new Bits();
  bits.add(0x2f, 8);
  bits.add(width - 1, 14);
  bits.add(height - 1, 14);
  bits.add(0, 4); // no alpha, version 0
  bits.add(0, 3); // no transform, no color cache, one group of codes
  for (const symbol of [green, red, blue, 255]) {
    bits.add(0b101, 3); // a simple code of one symbol with eight bits
    bits.add(symbol, 8);
  }
  bits.add(0b0001, 4); // distances: a simple code of the symbol 0
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', head),
    chunk('VP8L', bits.bytes()),
    chunk('XMP ', Buffer.from(description(label))),
  ]);
  return chunk('RIFF', body);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + data.length + (data.length % 2));
  bytes.write(type, 0, 'latin1');
  bytes.writeUInt32LE(data.length, 4);
  bytes.set(data, 8);
  return bytes;
}

const description = (label: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description>${label}</dc:description>` +
  '</rdf:Description></rdf:RDF></x:xmpmeta>';

/** Packs numbers, the least significant bit first. */
class Bits {
  readonly #bits: number[] = [];

  add(value: number, length: number): void {
    for (let at = 0; at < length; at++) this.#bits.push((value >>> at) & 1);
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [at, bit] of this.#bits.entries()) bytes[at >> 3]! |= bit << (at & 7);
    return bytes;
  }
}
