export type MaybeLater<T> = T | Promise<T>;

/**
 * Continues with a value, synchronously if it is there already. A promise would cost each request a
 * microsecond.
 */
export const after = <T, U>(value: MaybeLater<T>, next: (value: T) => MaybeLater<U>): MaybeLater<U> =>
  value instanceof Promise ? value.then(next) : next(value);
