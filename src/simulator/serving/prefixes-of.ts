import type { Prompt, PromptTurn } from '../model/prompt.ts';
import type { CacheLifetime, MarkedPart, Media, PromptPart } from '../model/prompt-part.ts';
import type { Tokenizer } from '../model/tokenizer.ts';

/** A prefix of the prompt that ends after a part. `hash` and `tokens` describe the whole prefix. */
export type Prefix = { hash: string; tokens: number; breakpoint?: CacheLifetime | undefined };

/** The tokens for the framing of a turn, as in the chat formats that vendors publish. */
const TURN_TOKENS = 3;
/** The tokens of an image of ordinary size. */
const IMAGE_TOKENS = 258;
const AUDIO_BYTES_PER_TOKEN = 1_000;
const DOCUMENT_BYTES_PER_TOKEN = 100;

const MEDIA_TOKENS: Record<Media['kind'], (bytes: number) => number> = {
  image: () => IMAGE_TOKENS,
  audio: (bytes) => Math.max(1, Math.ceil(bytes / AUDIO_BYTES_PER_TOKEN)),
  document: (bytes) => Math.max(1, Math.ceil(bytes / DOCUMENT_BYTES_PER_TOKEN)),
};

/**
 * Returns the prefixes of a prompt in order of length: tools and system prompt first, then each part. The
 * last prefix is the whole prompt.
 */
export function prefixesOf(prompt: Prompt, tokenizer: Tokenizer): Prefix[] {
  const tools = prompt.tools.length > 0 ? JSON.stringify(prompt.tools) : '';
  const head = tools + prompt.system;
  const prefixes: Prefix[] = [
    {
      hash: digest(head, '0'),
      tokens: tokenizer.count(tools) + tokenizer.count(prompt.system),
      breakpoint: prompt.systemBreakpoint,
    },
  ];
  for (const turn of prompt.turns) addTurn(prefixes, turn, tokenizer);
  return prefixes;
}

function addTurn(prefixes: Prefix[], turn: PromptTurn, tokenizer: Tokenizer): void {
  let framing = TURN_TOKENS;
  for (const part of turn.parts) {
    const { hash, tokens } = prefixes.at(-1)!;
    prefixes.push({
      hash: digest(turn.role + JSON.stringify(part, withoutMark), hash),
      tokens: tokens + framing + tokensOfPart(part, tokenizer),
      breakpoint: part.breakpoint,
    });
    framing = 0;
  }
}

/** Removes breakpoints, since the hash must not depend on their places. */
const withoutMark = (key: string, value: unknown): unknown => (key === 'breakpoint' ? undefined : value);

const digest = (text: string, before: string): string =>
  Bun.hash(text, Number.parseInt(before.slice(-8), 16)).toString(16);

function tokensOfPart(part: MarkedPart | PromptPart, tokenizer: Tokenizer): number {
  switch (part.kind) {
    case 'text':
    case 'summary':
    case 'thinking':
      return tokenizer.count(part.text);
    case 'tool-call':
      return tokenizer.count(part.name) + tokenizer.count(part.input);
    case 'tool-result':
      return part.parts.reduce((sum, inner) => sum + tokensOfPart(inner, tokenizer), 0);
    default:
      return part.text === undefined ? MEDIA_TOKENS[part.kind](part.bytes ?? 0) : tokenizer.count(part.text);
  }
}
