/** A table with a function for each kind of a union. */
export type KindTable<Value extends { kind: string }, Rest extends unknown[], Result> = {
  readonly [Kind in Value['kind']]: (value: Extract<Value, { kind: Kind }>, ...rest: Rest) => Result;
};

/** Returns the function of a table for a value. TypeScript cannot see that their kinds are the same. */
export function handlerOf<Value extends { kind: string }, Rest extends unknown[], Result>(
  table: KindTable<Value, Rest, Result>,
  { kind }: Value,
): (value: Value, ...rest: Rest) => Result {
  return table[kind as Value['kind']] as (value: Value, ...rest: Rest) => Result;
}
