import type { TokenRun } from '../model/reply.ts';

const encoder = new TextEncoder();
const ALTERNATIVES = [' the', ' a', '.', ',', ' and'];

/** Returns plausible fixed log probabilities, which are slightly lower for longer pieces. */
const logprobOf = (piece: TokenRun): number => -((piece.text.length % 7) + 1) / 100;

const entry = (token: string, logprob: number) => ({ token, logprob, bytes: [...encoder.encode(token)] });

const alternativesOf = (piece: TokenRun, count: number) =>
  [piece.text, ...ALTERNATIVES.filter((token) => token !== piece.text)]
    .slice(0, count)
    .map((token, rank) => ({ token, logprob: logprobOf(piece) - rank }));

export const chatLogprobs = (pieces: TokenRun[], alternatives: number) =>
  pieces.map((piece) => ({
    ...entry(piece.text, logprobOf(piece)),
    top_logprobs: alternativesOf(piece, alternatives).map(({ token, logprob }) => entry(token, logprob)),
  }));

/** Converts to the completions form, whose offsets count from the start of the answer. */
export function completionLogprobs(pieces: TokenRun[], alternatives: number, start = 0) {
  let offset = start;
  return {
    tokens: pieces.map(({ text }) => text),
    token_logprobs: pieces.map(logprobOf),
    top_logprobs: pieces.map((piece) =>
      Object.fromEntries(alternativesOf(piece, alternatives).map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: pieces.map(({ text }) => {
      const at = offset;
      offset += text.length;
      return at;
    }),
  };
}
