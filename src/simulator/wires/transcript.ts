import type { Tokenizer } from '../model/tokenizer.ts';

/** The heard words, for all forms of an answer. */
export type Transcript = {
  task: 'transcribe' | 'translate';
  text: string;
  seconds: number;
  usage: object | undefined;
  /** The log probability of each token, if they were asked for. */
  logprobs: Logprob[] | undefined;
  /** The languages of the sound, from models that report them. */
  languages: { code: string }[] | undefined;
  /** The times that were asked for: of words, of segments, or of both. */
  times: ReadonlySet<string>;
  speakers: readonly string[];
};

type Logprob = { token: string; bytes: number[]; logprob: number };
export type Span = { text: string; start: number; end: number };

const TOKEN_LOGPROB = -0.01;

export const logprobsOf = (text: string, tokenizer: Tokenizer): Logprob[] =>
  tokenizer
    .pieces(text)
    .map(({ text: token }) => ({ token, bytes: [...Buffer.from(token)], logprob: TOKEN_LOGPROB }));

/** Returns the sentences with their times. */
export const sentencesOf = (transcript: Transcript): Span[] =>
  spansOf(transcript.text.split(/(?<=[.!?])\s+/), transcript.seconds);

export const wordsOf = (transcript: Transcript): Span[] =>
  spansOf(transcript.text.match(/\S+/g) ?? [], transcript.seconds);

/** Gives each text its share of the time. */
function spansOf(texts: string[], seconds: number): Span[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0) || 1;
  const round = (length: number) => Math.round(((length * seconds) / total) * 100) / 100;
  let passed = 0;
  return texts.map((text) => {
    const start = round(passed);
    passed += text.length;
    return { text, start, end: round(passed) };
  });
}

/** Returns the name of the speaker of a sentence. */
export const speakerOf = ({ speakers }: Transcript, place: number): string =>
  speakers[place % speakers.length]!;
