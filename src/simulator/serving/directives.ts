/**
 * Directives in the last user text of a prompt. Any other text is only described.
 *
 *   say: TEXT                 answers exactly TEXT after the label (everything after the colon)
 *   count to N                answers "1 2 3 … N" (N up to 20,000)
 *   repeat N words            answers N words (N up to 20,000)
 *   refuse: REASON            refuses, in the vendor's form for refusals if there is one
 *   use a tool                calls the first tool; naming a tool calls that one, naming two calls both
 *   call NAME with {JSON}     calls that tool with exactly these arguments
 */
export type Directive = { kind: 'text' | 'refusal'; text: string };

const MAX_LENGTH = 20_000;
const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett'];

type Rule = { pattern: RegExp; answer(argument: string): Directive };

const upTo = (argument: string) => Math.min(Number(argument), MAX_LENGTH);

const RULES: Rule[] = [
  { pattern: /^say:\s*([\s\S]+)$/im, answer: (text) => ({ kind: 'text', text }) },
  { pattern: /^refuse:\s*([\s\S]+)$/im, answer: (text) => ({ kind: 'refusal', text }) },
  {
    pattern: /\bcount to (\d+)\b/i,
    answer: (count) => ({
      kind: 'text',
      text: Array.from({ length: upTo(count) }, (_, at) => at + 1).join(' '),
    }),
  },
  {
    pattern: /\brepeat (\d+) words\b/i,
    answer: (count) => ({
      kind: 'text',
      text: Array.from({ length: upTo(count) }, (_, at) => WORDS[at % WORDS.length]).join(' '),
    }),
  },
];

export function findDirective(text: string): Directive | undefined {
  for (const { pattern, answer } of RULES) {
    const argument = pattern.exec(text)?.[1];
    if (argument !== undefined) return answer(argument);
  }
  return undefined;
}
