import { ptr } from 'bun:ffi';
import { readdirSync } from 'node:fs';
import { type CLibrary, loadCLibrary } from '../../base/lib/load-c-library.ts';

const CALLS = {
  getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
} as const;

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const SO_ACCEPTCONN = 30;
const AF_INET = 2;
const AF_INET6 = 10;

/**
 * The packets that a socket filter of the kernel lets through, as `struct sock_filter`: code, jump if true,
 * jump if false, operand.
 */
const DROP_SYN = [
  [0x30, 0, 0, 13], // load the flags of the TCP header
  [0x54, 0, 0, 0x12], // keep SYN and ACK
  [0x15, 0, 1, 0x02], // only SYN: the client asks for a connection
  [0x06, 0, 0, 0], // drop
  [0x06, 0, 0, 0xffffffff], // keep
] as const;

type Calls = CLibrary<typeof CALLS>;

/**
 * Drops the packets that ask for a connection to the port, while connections whose handshake has begun are
 * still accepted. The kernel of a client asks again after a second, and is refused once the listener is
 * closed. Without this, the kernel resets the connections that it has completed when the listener closes, and
 * a balancer cannot know whether their requests were read. Returns false if the system cannot do it.
 */
export function dropNewConnections(localPort: number): boolean {
  const calls = loadCLibrary(CALLS);
  if (!calls) return false;
  const listeners = descriptors().filter((descriptor) => listensOn(calls, descriptor, localPort));
  return listeners.length > 0 && listeners.every((descriptor) => attach(calls, descriptor));
}

function descriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function listensOn(calls: Calls, descriptor: number, localPort: number): boolean {
  const value = new Int32Array(new ArrayBuffer(4));
  const valueLength = lengthOf(value);
  if (calls.getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, ptr(value), ptr(valueLength)) !== 0)
    return false;
  const address = new DataView(new ArrayBuffer(128));
  const addressLength = lengthOf(address);
  if (value[0] !== 1 || calls.getsockname(descriptor, ptr(address), ptr(addressLength)) !== 0) return false;
  const family = address.getUint16(0, true);
  return (family === AF_INET || family === AF_INET6) && address.getUint16(2) === localPort;
}

const lengthOf = ({ byteLength }: ArrayBufferView): Uint32Array<ArrayBuffer> =>
  new Uint32Array(new ArrayBuffer(4)).fill(byteLength);

function attach(calls: Calls, descriptor: number): boolean {
  const filter = new DataView(new ArrayBuffer(8 * DROP_SYN.length));
  for (const [index, [code, ifTrue, ifFalse, operand]] of DROP_SYN.entries()) {
    filter.setUint16(8 * index, code, true);
    filter.setUint8(8 * index + 2, ifTrue);
    filter.setUint8(8 * index + 3, ifFalse);
    filter.setUint32(8 * index + 4, operand, true);
  }
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, DROP_SYN.length, true);
  program.setBigUint64(8, BigInt(ptr(filter)), true);
  return calls.setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, ptr(program), 16) === 0;
}
