const GENERATION = /gemini-(\d+)/;

/** Of models that do not have a number in their name (aliases, other families) nothing is known. */
const generationOf = (model: string): number => Number(GENERATION.exec(model)?.[1] ?? 0);

/**
 * From Gemini 3 on, thinking has levels in place of a budget, results of calls can hold media, and a turn's first call has to bring its
 * signature back. https://ai.google.dev/gemini-api/docs/gemini-3
 */
export const isThirdGeneration = (model: string): boolean => generationOf(model) >= 3;

/** The most and the least that Gemini 2.5 models think, in tokens: https://ai.google.dev/gemini-api/docs/thinking */
export function budgetRange(model: string): { least: number; most: number } {
  if (!/gemini-2\.5/.test(model)) return { least: 0, most: Number.POSITIVE_INFINITY };
  return /2\.5-pro/.test(model) ? { least: 128, most: 32_768 } : { least: 0, most: 24_576 };
}
