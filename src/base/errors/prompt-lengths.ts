/** The lengths that an upstream named when it found a prompt too long, in tokens. */
export type PromptLengths = { tokens: number; maximum: number };

const NUMBER = '(\\d[\\d,]*)';

/** How vendors put it. The named groups say which number is which. */
const forms: readonly RegExp[] = [
  `(?<tokens>${NUMBER}) tokens > (?<maximum>${NUMBER}) maximum`,
  `maximum context length (?:is|of) (?<maximum>${NUMBER}) tokens.*?(?:resulted in|requested(?: about)?|has|contains) (?<tokens>${NUMBER})`,
  `input token count \\(?(?<tokens>${NUMBER})\\)? exceeds the maximum number of tokens allowed \\(?(?<maximum>${NUMBER})`,
  `prompt (?:has|contains|is) (?<tokens>${NUMBER}) tokens.*?(?:maximum|limit|context).*?(?<maximum>${NUMBER})`,
].map((form) => new RegExp(form, 'is'));

/** The longest text that is searched. Vendors' messages are shorter. */
const MOST = 2_000;

/** Finds both lengths in the text of an upstream's error. Undefined: it does not name them, or they fit. */
export function promptLengthsIn(text: string): PromptLengths | undefined {
  for (const form of forms) {
    const groups = form.exec(text.slice(0, MOST))?.groups;
    if (!groups) continue;
    const [tokens, maximum] = [groups.tokens!, groups.maximum!].map((digits) =>
      Number(digits.replaceAll(',', '')),
    );
    if (tokens! > maximum! && Number.isSafeInteger(tokens)) return { tokens: tokens!, maximum: maximum! };
  }
  return undefined;
}
