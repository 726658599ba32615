/** Logarithms in the field of 256 elements that QR codes use. */
const powers = new Uint8Array(255);
const logs = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = value;
  logs[value] = exponent;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

const product = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : powers[(logs[a]! + logs[b]!) % 255]!;

/** Returns the product of (x - 2^0) … (x - 2^(length-1)), without its leading one. */
function generator(length: number): number[] {
  let factors = [1];
  for (let exponent = 0; exponent < length; exponent++) {
    const root = powers[exponent]!;
    factors = [...factors, 0].map((factor, index) => factor ^ product(factors[index - 1] ?? 0, root));
  }
  return factors.slice(1);
}

/** Returns the Reed-Solomon bytes that let a reader repair damage. */
export function correctionBytes(data: readonly number[], length: number): number[] {
  const divisor = generator(length);
  let rest: number[] = Array(length).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest[0]!;
    rest = [...rest.slice(1), 0].map((one, index) => one ^ product(divisor[index]!, factor));
  }
  return rest;
}
