/** A value that is there, or a promise of it. */
export type MaybeLater<T> = T | Promise<T>;

/** Continues with a value, at once if it is there. A promise would cost each request a microsecond. */
export const andThen = <T, U>(value: MaybeLater<T>, next: (value: T) => MaybeLater<U>): MaybeLater<U> =>
  value instanceof Promise ? value.then(next) : next(value);
