/**
 * Puts JSON on one line, as an SSE frame needs it.
 * A line feed in valid JSON is only white space, so a space can replace it.
 */
export const asOneLine = (json: string): string => (json.includes('\n') ? json.replaceAll('\n', ' ') : json);
