import { Refusal } from '../../base/errors/refusal.ts';

/** Returns the value. A refusal is thrown, and the edge answers with it. */
export function accepted<Value>(value: Value | Refusal): Value {
  if (value instanceof Refusal) throw value;
  return value;
}
