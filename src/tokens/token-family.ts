import { byArea, byLargeTiles, byTiles, type ImageRule } from './image-rules.ts';
import type { VocabularyName } from './vocabulary.ts';

/** How a maker's models count what they are sent. */
export type TokenFamily = {
  name: string;
  vocabulary: VocabularyName;
  /** What its own vocabulary makes of a text, beside the published one. */
  textFactor: number;
  /** How far a count may be from the maker's own. */
  error: number;
  image: ImageRule;
  /** An image whose size nobody told us. */
  unseenImageTokens: number;
  pdfPageTokens: number;
  audioTokensPerSecond: number;
  /** What framing a turn costs, and being given tools at all. */
  turnTokens: number;
  toolsTokens: number;
};

const openai = {
  name: 'openai',
  vocabulary: 'o200k',
  textFactor: 1,
  error: 0.02,
  image: byTiles,
  unseenImageTokens: 765,
  pdfPageTokens: 1_200,
  audioTokensPerSecond: 10,
  turnTokens: 3,
  toolsTokens: 0,
} as const satisfies TokenFamily;

const openWeights = {
  ...openai,
  name: 'open-weights',
  error: 0.15,
  image: byArea,
  unseenImageTokens: 1_000,
} as const satisfies TokenFamily;

const openWeightNames = [
  ...['llama', 'qwen', 'qwq', 'deepseek', 'mistral', 'mixtral', 'codestral', 'devstral', 'magistral'],
  ...['ministral', 'pixtral', 'kimi', 'glm', 'minimax', 'grok', 'phi-', 'nemotron', 'command', 'hermes'],
  ...['nova', 'granite', 'olmo', 'jamba', 'sonar', 'ernie', 'hunyuan', 'seed', 'step-'],
];

type Row = { models: RegExp; family: TokenFamily };

/**
 * By the upstream's name of the model. OpenAI publishes its vocabularies. Anthropic and Google do not: Claude makes 10 to 20 % more
 * tokens of a text than cl100k does, and Gemini and the open-weight models of today come within 10 to 15 % of o200k. A page of a PDF
 * is 1,500 to 3,000 tokens by Anthropic's documentation and 258 by Google's; audio is 32 tokens a second by Google's and 10 by
 * OpenAI's.
 */
const rows: readonly Row[] = [
  {
    models: /claude/i,
    family: {
      name: 'anthropic',
      vocabulary: 'cl100k',
      textFactor: 1.15,
      error: 0.15,
      image: byArea,
      unseenImageTokens: 1_600,
      pdfPageTokens: 2_250,
      audioTokensPerSecond: 10,
      turnTokens: 4,
      toolsTokens: 346,
    },
  },
  {
    models: /gemini|gemma/i,
    family: {
      name: 'google',
      vocabulary: 'o200k',
      textFactor: 1,
      error: 0.15,
      image: byLargeTiles,
      unseenImageTokens: 1_032,
      pdfPageTokens: 258,
      audioTokensPerSecond: 32,
      turnTokens: 3,
      toolsTokens: 0,
    },
  },
  { models: /gpt-(?:3\.5|4(?!o|\.\d))/i, family: { ...openai, vocabulary: 'cl100k' } },
  { models: /gpt-|chatgpt|codex|(?:^|\/)o\d(?:-|$)/i, family: openai },
  {
    models: new RegExp(openWeightNames.join('|'), 'i'),
    family: openWeights,
  },
];

/** A name that nobody knows is counted with the smallest vocabulary: quick to load, and rather too many tokens than too few. */
const unknown = { ...openWeights, name: 'unknown', vocabulary: 'p50k' } as const satisfies TokenFamily;

export type CountedModel = {
  upstreamModel: string;
  /** Answered by the built-in simulator, whose usage is counted in p50k. */
  isSimulated: boolean;
};

export function tokenFamily({ upstreamModel, isSimulated }: CountedModel): TokenFamily {
  const family = rows.find(({ models }) => models.test(upstreamModel))?.family ?? unknown;
  return isSimulated ? { ...family, ...simulated } : family;
}

const simulated = {
  vocabulary: 'p50k',
  textFactor: 1,
  error: 0.02,
  turnTokens: 3,
  toolsTokens: 0,
} as const;
