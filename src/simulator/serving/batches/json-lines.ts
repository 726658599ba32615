/** Returns an answer of one JSON text for each line. */
export const jsonLines = (lines: readonly unknown[]): Response =>
  new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'content-type': 'application/x-jsonl' },
  });
