import type { KeptBytes } from '../../base/forms/form.ts';

/** The quantities other than tokens that metered endpoints bill, in the order of receipts. */
export const meteredUnits = ['image', 'second', 'character', 'document', 'request'] as const;

export type MeteredUnit = (typeof meteredUnits)[number];
/** The quantities of an answer. Units without a quantity are absent. */
export type MeteredCounts = Readonly<Partial<Record<MeteredUnit, number>>>;

/** The choices that decide the price of an image. A choice that the model makes is undefined. */
export type ImageForm = { size?: string | undefined; quality?: string | undefined };

/** The quantities that an answer is billed for. */
export type MeteredUsage = {
  counts: MeteredCounts;
  image?: ImageForm | undefined;
  /** The sound of an answer that is billed by the second. It is measured before the answer is settled. */
  sound?: { bytes: KeptBytes; type: string } | undefined;
};

/**
 * The most tokens that an upstream can report for a request. Images are counted apart, since their size is a
 * setting.
 */
type MeteredTokens = { input: number; output: number; imagesIn?: number; imagesOut?: number };

/**
 * The quantity that a request to a metered endpoint asks for. It is held, and billed if the upstream does not
 * report the quantity.
 */
export type MeteredAsk = MeteredUsage & {
  /** The text that the model reads, whose tokens count in the rate limits. */
  text: string;
  most: MeteredTokens;
  /**
   * The quantity that is billed if the answer does not arrive before its client has left.
   * Default: all that is held.
   */
  likely?: MeteredCounts | undefined;
};

/** Folds the word of a size or a quality. Hosts read these words in any case, and so do the prices. */
export const foldForm = (word: string): string => word.trim().toLowerCase();
