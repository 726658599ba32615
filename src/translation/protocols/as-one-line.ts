/** JSON on one line, as a frame needs it. Upstreams may spread an event over several lines; within valid JSON a line feed is space. */
export const asOneLine = (json: string): string => (json.includes('\n') ? json.replaceAll('\n', ' ') : json);
