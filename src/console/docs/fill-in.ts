import { lookUp } from '../../base/lib/records.ts';
/** Replaces placeholders like `{brand}` with their values. Unknown placeholders stay. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => lookUp(values, name) ?? whole);
