/** The answer that a directive orders. */
export type Directive = { kind: 'text' | 'refusal'; text: string };

const MAX_COUNT = 20_000;
const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett'];

type Rule = { pattern: RegExp; answer(argument: string): Directive };

/** Returns a text of as many words as the argument says. */
const repeated = (argument: string, wordAt: (index: number) => string | number): Directive => ({
  kind: 'text',
  text: Array.from({ length: Math.min(Number(argument), MAX_COUNT) }, (_, index) => wordAt(index)).join(' '),
});

const RULES: Rule[] = [
  { pattern: /^say:\s*([\s\S]+)$/im, answer: (text) => ({ kind: 'text', text }) },
  { pattern: /^refuse:\s*([\s\S]+)$/im, answer: (text) => ({ kind: 'refusal', text }) },
  { pattern: /\bcount to (\d+)\b/i, answer: (count) => repeated(count, (index) => index + 1) },
  {
    pattern: /\brepeat (\d+) words\b/i,
    answer: (count) => repeated(count, (index) => WORDS[index % WORDS.length]!),
  },
];

/**
 * Returns the answer that the user's text orders, or undefined if the text has no directive. The first rule
 * that matches applies:
 *
 *   say: TEXT          answers with the rest of the prompt after the colon
 *   refuse: REASON     refuses, in the vendor's form for refusals if there is one
 *   count to N         answers "1 2 3 … N" (N up to 20,000)
 *   repeat N words     answers N words (N up to 20,000)
 */
export function findDirective(text: string): Directive | undefined {
  for (const { pattern, answer } of RULES) {
    const argument = pattern.exec(text)?.[1];
    if (argument !== undefined) return answer(argument);
  }
  return undefined;
}
