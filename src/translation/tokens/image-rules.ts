import type { ImageSize } from './image-size.ts';

/** The detail that the client asks for. OpenAI's tiles depend on it. */
export type ImageDetail = 'low' | 'high' | 'auto' | undefined;
/** Returns the tokens of an image. */
export type ImageRule = (size: ImageSize, detail: ImageDetail) => number;

const scale = ({ width, height }: ImageSize, factor: number): ImageSize =>
  factor >= 1 ? { width, height } : { width: width * factor, height: height * factor };

const tilesOf = ({ width, height }: ImageSize, side: number): number =>
  Math.ceil(width / side) * Math.ceil(height / side);

/**
 * Counts by Anthropic's formula: width × height / 750, after the longer side is scale down to 1,568. The
 * maximum is about 1,600.
 */
export const byArea: ImageRule = (size) => {
  const { width, height } = scale(size, 1_568 / Math.max(size.width, size.height));
  return Math.min(1_600, Math.ceil((width * height) / 750));
};

/**
 * Counts by OpenAI's rule: scale to fit 2,048 × 2,048 and a shorter side of at most 768, then charge each
 * tile of 512 and a base amount.
 */
export const openaiTiles =
  (whole: number, tile: number): ImageRule =>
  (size, detail) => {
    if (detail === 'low') return whole;
    const boxed = scale(size, 2_048 / Math.max(size.width, size.height));
    const fitted = scale(boxed, 768 / Math.min(boxed.width, boxed.height));
    return whole + tile * tilesOf(fitted, 512);
  };

/** The size that OpenAI's rule cuts into the most tiles. */
export const MAX_TILED_IMAGE: ImageSize = { width: 2_048, height: 768 };

/** Counts by OpenAI's rule with the amounts of most of its models. */
export const byTiles = openaiTiles(85, 170);

const MAX_PATCHES = 1_536;

/**
 * Counts by the rule of OpenAI's smaller models: patches of 32 pixels. Larger images are scale down to a
 * maximum number of patches.
 */
export const byPatches =
  (factor: number): ImageRule =>
  (size) =>
    Math.ceil(Math.min(MAX_PATCHES, tilesOf(size, 32)) * factor);

/** Counts by Google's rule: 258 for a small image, and for each tile of 768 of a larger one. */
export const byLargeTiles: ImageRule = (size) =>
  Math.max(size.width, size.height) <= 384 ? 258 : 258 * tilesOf(size, 768);
