type Part = { text?: unknown } | null;
type Answer = { content?: unknown; choices?: { message?: { content?: unknown } }[] };

/** Returns the text of a whole answer of the messages or the chat dialect, or null if it is no answer. */
export function textOfAnswer(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { content, choices } = answer as Answer;
  const parts = choices ? choices[0]?.message?.content : content;
  if (typeof parts === 'string') return parts;
  if (!Array.isArray(parts)) return '';
  const texts = (parts as Part[]).map((part) => part?.text);
  return texts.filter((text) => typeof text === 'string').join('');
}
