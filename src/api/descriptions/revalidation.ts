import type { RouteDescription } from '../../edge/http/route.ts';

/** The parts of a description that an answer with an `etag` adds. */
export const revalidation = {
  headers: [{ name: 'if-none-match', description: 'The `etag` of an earlier answer.' }],
  otherAnswers: { 304: { description: 'The answer has the given `etag`, and is not sent again.' } },
} satisfies Partial<RouteDescription>;
