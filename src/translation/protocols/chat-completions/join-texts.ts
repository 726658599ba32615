import type { Part } from '../../canonical/part.ts';

/** Joins the texts of all parts of a kind, since a message has one field for each kind. */
export const joinTexts = (parts: readonly Part[], kind: 'text' | 'refusal'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('');
