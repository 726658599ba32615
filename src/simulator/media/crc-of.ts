/**
 * Returns a checksum with the highest bit first and no inversion, as in Ogg (32 bits) and FLAC (8 and 16
 * bits).
 */
export function crcOf(bytes: Uint8Array, bits: 8 | 16 | 32, polynomial: number): number {
  const top = 2 ** (bits - 1);
  const mask = 2 ** bits - 1;
  let crc = 0;
  for (const byte of bytes) {
    crc = (crc ^ (byte << (bits - 8))) >>> 0;
    for (let bit = 0; bit < 8; bit++) {
      const carries = (crc & top) !== 0;
      crc = ((crc << 1) ^ (carries ? polynomial : 0)) & mask;
    }
    crc >>>= 0;
  }
  return crc;
}
