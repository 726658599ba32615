import { Refusal } from '../../base/errors/refusal.ts';

/** Continues with a result, such as with the view of a changed record. A refusal is returned as it is. */
export async function unlessRefused<Result, Next>(
  result: Result | Promise<Result>,
  next: (value: Exclude<Result, Refusal>) => Next | Promise<Next>,
): Promise<Next | Refusal> {
  const value = await result;
  // The type checker does not narrow a type parameter.
  return value instanceof Refusal ? value : next(value as Exclude<Result, Refusal>);
}
