import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';

/** Rewrites a wire's refusal with the field name of the client's dialect. */
export function renameParam(refusal: Refusal, paramNames: Readonly<Record<string, string>> = {}): Refusal {
  const { code, param, message, details } = refusal;
  const name = param === null ? undefined : lookUp(paramNames, param);
  if (param === null || name === undefined) return refusal;
  const text = message.startsWith(param) ? name + message.slice(param.length) : message;
  return new Refusal(code, { ...details, param: name, message: text });
}
