import { stage } from './stage.ts';

/** Fills with random bytes of the simulation. */
export function fillRandomly<T extends NodeJS.ArrayBufferView>(array: T): T {
  const { simulation } = stage;
  const random = simulation.draws('random bytes');
  simulation.randomFills++;
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length; at += 4) {
    const word = random.below(2 ** 32);
    for (let shift = 0; shift < 4 && at + shift < bytes.length; shift++)
      bytes[at + shift] = word >>> (8 * shift);
  }
  return array;
}

export const randomBytes = (length: number): Buffer => fillRandomly(Buffer.alloc(length));

export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
