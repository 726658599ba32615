import type { Prompt } from '../model/prompt.ts';
import { type ReplyPart, type SimulatorChoice, type TokenRun, textOf, tokensOf } from '../model/reply.ts';
import type { Tokenizer } from '../model/tokenizer.ts';

/** Cuts a choice at the first stop sequence or at the token limit, whichever comes first. */
export function limitChoice(choice: SimulatorChoice, prompt: Prompt, tokenizer: Tokenizer): SimulatorChoice {
  return cutAtLimit(cutAtStop(choice, prompt.stops, tokenizer), prompt.maxTokens);
}

function cutAtStop(choice: SimulatorChoice, stops: string[], tokenizer: Tokenizer): SimulatorChoice {
  const filled = stops.filter((stop) => stop !== '');
  const at = choice.parts.findIndex((part) => part.kind === 'text' && firstStop(textOf(part), filled));
  if (at < 0) return choice;
  const text = textOf(choice.parts[at]!);
  const { start, stop } = firstStop(text, filled)!;
  const cut: ReplyPart = { kind: 'text', pieces: tokenizer.pieces(text.slice(0, start)) };
  return { parts: [...choice.parts.slice(0, at), cut], stop: 'stop-sequence', stopSequence: stop };
}

function firstStop(text: string, stops: string[]): { start: number; stop: string } | undefined {
  return stops
    .map((stop) => ({ start: text.indexOf(stop), stop }))
    .filter(({ start }) => start >= 0)
    .sort((one, other) => one.start - other.start)[0];
}

/**
 * Thinking counts. A tool call that does not fit is omitted, since partial arguments are not valid JSON.
 */
function cutAtLimit(choice: SimulatorChoice, limit = Infinity): SimulatorChoice {
  const whole: ReplyPart[] = [];
  let remainingTokens = limit;
  for (const part of choice.parts) {
    const tokens = tokensOf(part);
    if (tokens > remainingTokens) {
      const pieces = part.kind === 'tool-call' ? [] : firstPieces(part.pieces, remainingTokens);
      return { parts: pieces.length > 0 ? [...whole, { ...part, pieces }] : whole, stop: 'length' };
    }
    whole.push(part);
    remainingTokens -= tokens;
  }
  return { ...choice, parts: whole };
}

function firstPieces(pieces: TokenRun[], limit: number): TokenRun[] {
  let remainingTokens = limit;
  const over = pieces.findIndex(({ tokens }) => {
    remainingTokens -= tokens;
    return remainingTokens < 0;
  });
  return over < 0 ? pieces : pieces.slice(0, over);
}
