/** The value of a thinking budget that the model chooses itself. */
export const DYNAMIC_BUDGET = -1;

const GENERATION = /gemini-(\d+)/;

/**
 * Returns the generation in a model's name. The result is zero for aliases and other families, whose names
 * have no number.
 */
const generationOf = (model: string): number => Number(GENERATION.exec(model)?.[1] ?? 0);

/**
 * Reports whether a model is of Gemini 3 or later. Its thinking has levels in place of a budget, results can
 * hold media, and a turn's first call must return its signature.
 * https://ai.google.dev/gemini-api/docs/gemini-3
 */
export const isThirdGeneration = (model: string): boolean => generationOf(model) >= 3;

/**
 * Returns the range of thinking budgets of Gemini 2.5 models, in tokens:
 * https://ai.google.dev/gemini-api/docs/thinking
 */
export function budgetRange(model: string): { min: number; max: number } {
  if (!/gemini-2\.5/.test(model)) return { min: 0, max: Number.POSITIVE_INFINITY };
  return /2\.5-pro/.test(model) ? { min: 128, max: 32_768 } : { min: 0, max: 24_576 };
}
