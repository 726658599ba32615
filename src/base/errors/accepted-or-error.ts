import { Refusal } from './refusal.ts';

/**
 * Returns the value. Throws a refusal as an error that keeps it, for work that waits for no client's answer:
 * the error is logged, or ends the task.
 */
export function acceptedOrError<Value>(value: Value | Refusal): Value {
  if (value instanceof Refusal) throw new Error(`${value.code}: ${value.message}`, { cause: value });
  return value;
}
