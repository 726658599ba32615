type Part = { type?: unknown; text?: unknown };
type Answer = { content?: unknown; choices?: { message?: { content?: unknown } }[] };

/** Returns the text of a whole answer of the messages or the chat dialect, or null if it is no answer. */
export function textOfAnswer(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { content, choices } = answer as Answer;
  const said = choices ? choices[0]?.message?.content : content;
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return '';
  return (said as Part[]).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('');
}
