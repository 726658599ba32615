import { dlopen, type FFIFunction } from 'bun:ffi';

const NAMES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`];

/** Functions of the C library, by name. */
export type CLibrary<Calls extends Record<string, FFIFunction>> = NonNullable<
  ReturnType<typeof loadCLibrary<Calls>>
>;

/**
 * Loads functions of the C library. Returns undefined if the kernel is not Linux or the library is unknown.
 */
export function loadCLibrary<Calls extends Record<string, FFIFunction>>(calls: Calls) {
  for (const name of process.platform === 'linux' ? NAMES : []) {
    try {
      return dlopen(name, calls).symbols;
    } catch {} // not available on this system; try the next one
  }
  return undefined;
}
