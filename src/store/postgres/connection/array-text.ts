/** The text of a one-dimensional array, as Postgres reads it. */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Splits the text of a one-dimensional array. Elements stay text. */
export function splitArray(text: string): (string | null)[] {
  const elements: (string | null)[] = [];
  let at = 1;
  while (at < text.length - 1) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      elements.push(text.slice(at + 1, end).replace(/\\(.)/gs, '$1'));
      at = end + 2;
      continue;
    }
    const comma = text.indexOf(',', at);
    const end = comma === -1 ? text.length - 1 : comma;
    const element = text.slice(at, end);
    elements.push(element === 'NULL' ? null : element);
    at = end + 1;
  }
  return elements;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
