import { byArea, byLargeTiles, byTiles, type ImageDetail, MAX_TILED_IMAGE } from './image-rules.ts';
import type { ImageSize } from './image-size.ts';

/** Upper bounds on the part of a prompt that is not text. Infinity: only the model's window bounds it. */
export type NonTextBounds = {
  /**
   * The framing of a request, each of its turns, its tools as a whole and each tool, apart from the names in
   * the body.
   */
  request: number;
  turn: number;
  tools: number;
  tool: number;
  /** The size is undefined if the image is external or has an unknown format. */
  image(size: ImageSize | undefined, detail: ImageDetail): number;
  audio(sound: { seconds: number; bytes: number }): number;
  /**
   * Returns the most tokens of a document whose text is not visible. Even a small file can hold more text
   * than any window. The bytes are undefined for an external document.
   */
  document(bytes: number | undefined): number;
};

const unbounded = (): number => Number.POSITIVE_INFINITY;

/** The highest of the published rates; OpenAI's is 10. */
const AUDIO_TOKENS_PER_SECOND = 32;
/** The side of the smallest patch that open vision models use. */
const MIN_PATCH = 14;
/** The framing of an image. */
const IMAGE_FRAMING = 64;

const unknown: NonTextBounds = {
  request: 64,
  turn: 8,
  tools: 1_024,
  tool: 8,
  image: (size) =>
    size
      ? Math.ceil(size.width / MIN_PATCH) * Math.ceil(size.height / MIN_PATCH) + IMAGE_FRAMING
      : Number.POSITIVE_INFINITY,
  audio: ({ seconds }) => Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND),
  document: unbounded,
};

const openai: NonTextBounds = {
  request: 3,
  turn: 1,
  tools: 2,
  tool: 1,
  image: (size, detail) => byTiles(size ?? MAX_TILED_IMAGE, detail),
  audio: ({ seconds }) => Math.ceil(seconds * 10),
  document: unbounded,
};

/** Anthropic's newer models count about three times the tokens of the published formula for an image. */
const MAX_ANTHROPIC_IMAGE_TOKENS = 5_000;
/** The most tokens of an image that Google does not cut into tiles. */
const MAX_SMALL_GOOGLE_IMAGE_TOKENS = 2_240;

/** The bounds by maker. */
export const nonTextBounds = {
  unknown,
  openai,
  /** The chat format begins with a page of instructions, to which tools add a turn and a line. */
  gptOss: { ...openai, request: 80, tools: 20 },
  /** The vendor's own tools (a shell, an editor, a computer) come with instructions. */
  anthropic: {
    ...unknown,
    tools: 2_048,
    image: (size) =>
      size ? Math.min(MAX_ANTHROPIC_IMAGE_TOKENS, byArea(size, undefined) * 3) : MAX_ANTHROPIC_IMAGE_TOKENS,
  },
  google: {
    ...unknown,
    image: (size) =>
      size
        ? Math.max(MAX_SMALL_GOOGLE_IMAGE_TOKENS, byLargeTiles(size, undefined))
        : Number.POSITIVE_INFINITY,
  },
  /** The simulator's own rules. */
  simulated: {
    request: 3,
    turn: 1,
    tools: 0,
    tool: 4,
    image: () => 258,
    audio: ({ bytes }) => Math.ceil(bytes / 1_000),
    document: (bytes = 0) => Math.max(1, Math.ceil(bytes / 100)),
  },
} as const satisfies Record<string, NonTextBounds>;
