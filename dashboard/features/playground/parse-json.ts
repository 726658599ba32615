/** Parses JSON that a person has typed. */
export function parseJson(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : error}` };
  }
}
