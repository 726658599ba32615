import { AAC_RATES } from './adts-frame.ts';
import { TooManySteps } from './sound-reader.ts';

const SIGN = Buffer.from('esds');
/** The type, the version and the flags of the box before its descriptors. */
const HEAD_BYTES = 8;
/** The own fields of each descriptor before those within it (ISO 14496-1). */
const FIELDS: Readonly<Record<number, number>> = { 3: 3, 4: 13 };
/** The tags of descriptors: of the decoder, which names the kind of its stream, and of its configuration. */
const STREAM = 4;
const CONFIG = 5;
/** The kinds of streams that are AAC. */
const AAC = new Set([0x40, 0x66, 0x67, 0x68]);
const MAX_DESCRIPTORS = 8;
const MAX_LENGTH_BYTES = 4;
/** The most descriptions of a table. A client can fill it with them, and each takes time. */
const MAX_SIGNS = 256;

type Aac = {
  /** The lowest rate that decoders could take, whatever rate the table of samples claims. */
  rate: number;
  /** False if the samples hold frames of a different kind. */
  isAac: boolean;
};

/** Reads what a table of samples (`stsd`) says about AAC. It can have the description several times. */
export function aacOf(table: Buffer): Aac {
  const aac: Aac = { rate: Number.POSITIVE_INFINITY, isAac: true };
  let signs = 0;
  for (let at = table.indexOf(SIGN); at >= 0; at = table.indexOf(SIGN, at + SIGN.length)) {
    if (++signs > MAX_SIGNS) throw new TooManySteps();
    readDescriptors(table, at + HEAD_BYTES, aac);
  }
  return aac;
}

/** Adds the facts in a row of descriptors. */
function readDescriptors(table: Buffer, from: number, aac: Aac): void {
  let at = from;
  for (let count = 0; count < MAX_DESCRIPTORS && at < table.length; count++) {
    const tag = table[at++]!;
    let length = 0;
    for (let byte = 0x80, read = 0; (byte & 0x80) !== 0 && read < MAX_LENGTH_BYTES; read++) {
      byte = table[at++] ?? 0;
      length = length * 128 + (byte & 0x7f);
    }
    if (tag === STREAM) aac.isAac &&= AAC.has(table[at] ?? 0);
    if (tag === CONFIG) aac.rate = Math.min(aac.rate, rateOf(table.subarray(at, at + 8)));
    at += FIELDS[tag] ?? length;
  }
}

/** Reads the rate of an AudioSpecificConfig (ISO 14496-3). */
function rateOf(config: Buffer): number {
  const bits = [...config].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const number = (at: number, length: number): number => Number.parseInt(bits.slice(at, at + length), 2);
  const at = number(0, 5) === 31 ? 11 : 5;
  const index = number(at, 4);
  const rate = index === 15 ? number(at + 4, 24) : AAC_RATES[index];
  return rate || Number.POSITIVE_INFINITY;
}
