import { ptr } from 'bun:ffi';
import type { Socket } from 'bun';
import { loadCLibrary } from '../../base/lib/load-c-library.ts';

/**
 * The receive buffer of a connection whose answer waits for a slow reader; the kernel doubles it. It bounds
 * what the runtime reads at once, which would be 512 KB otherwise. A host 100 ms away can still send a
 * megabyte a second.
 */
export const NARROW_BYTES = 64 * 1024;
/** More than most kernels allow. The kernel reduces it to its maximum. */
export const WIDE_BYTES = 8 * 1024 * 1024;

const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const INT_BYTES = 4;

const CALLS = {
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
} as const;

const load = () => ({ calls: loadCLibrary(CALLS), value: new Int32Array(new ArrayBuffer(INT_BYTES)) });
let library: ReturnType<typeof load> | undefined;

/** Sets the kernel's receive buffer of a socket. Has no effect on other systems than Linux. */
export function setReceiveBuffer(socket: Socket<unknown>, bytes: number): void {
  // The types of the runtime omit the descriptor.
  const { fd } = socket as { fd?: unknown };
  if (typeof fd !== 'number' || fd < 0) return;
  library ??= load();
  const { calls, value } = library;
  value[0] = bytes;
  calls?.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, ptr(value), INT_BYTES);
}
