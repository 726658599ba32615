/** Writes the text of a provider with these fields. */
export const provider = (fields: string): string =>
  `providers:\n  - id: local\n    base_url: http://127.0.0.1:1/v1\n    ${fields}\n`;

const price = 'pricing_usd_per_mtok: { input: 1, output: 1 }';

/** Writes the text of a model with these fields. */
export const model = (fields: string): string =>
  `catalog:\n  models:\n    - { id: m, context_window: 10, ${price}, ${fields} }\n`;
