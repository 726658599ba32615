import { Refusal } from '../../base/errors/refusal.ts';
import { objectOf } from '../../base/json/read-json.ts';
import type { Fields } from '../../base/schema/json-type.ts';

/** The members that hold turns in the dialects' bodies. */
const turnMembers = ['messages', 'input', 'contents'];

/**
 * Adds a path to a refusal that quotes the invalid text.
 * Wires know no paths, so the text is searched for in the client's own body.
 */
export function placeRefusal(refusal: Refusal, body: Fields): Refusal {
  const { code, message, param, details } = refusal;
  const { quote } = details;
  if (quote === undefined || param !== null) return refusal;
  for (const name of turnMembers) {
    const path = pathOf(body[name], name, quote);
    if (path !== undefined)
      return new Refusal(code, { ...details, param: path, message: `${path}: ${message}` });
  }
  return new Refusal(code, { ...details, message: message.charAt(0).toUpperCase() + message.slice(1) });
}

/** Returns the path of the first text that the refusal quotes. */
function pathOf(value: unknown, path: string, quote: string): string | undefined {
  if (typeof value === 'string') return isQuoted(value, quote) ? path : undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner = pathOf(value[index], `${path}[${index}]`, quote);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  for (const [name, member] of Object.entries(objectOf(value))) {
    const inner = pathOf(member, `${path}.${name}`, quote);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Reports whether a text is the quoted text, or a data URL of the quoted text. */
const isQuoted = (text: string, quote: string): boolean =>
  text === quote || (text.startsWith('data:') && quote !== '' && text.endsWith(quote));
