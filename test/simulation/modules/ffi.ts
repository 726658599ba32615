/** The program then runs as on a system whose C library it does not know. */
export function dlopen(): never {
  throw new Error('there is no C library in a simulation');
}

export const ptr = (): number => 0;
