/**
 * Loaded before the program: reading the key of a request that carries `x-test-fault` fails like a bug would.
 */
const read = Headers.prototype.get;

function get(this: Headers, name: string): string | null {
  if (name === 'authorization' && read.call(this, 'x-test-fault') !== null)
    throw new TypeError('a-detail-of-the-inside is not a function');
  return read.call(this, name);
}

Object.defineProperty(Headers.prototype, 'get', { value: get });
