import { expect } from 'bun:test';
import type { Answer, Json } from './call.ts';

/** Returns the frames of a stream. */
export const framesOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1],
      id: /^id: (.*)$/m.exec(block)?.[1],
      data: /^data: (.*)$/m.exec(block)![1]!,
    }));
/** The events of a stream of interactions. */
export const eventsOf = (text: string): Json[] =>
  framesOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data));

/** Checks an error of Google's shape, and returns its message. */
export function expectGoogleError({ status, body }: Answer, expected: [number, string, string?]): string {
  const [code, reason, field] = expected;
  expect({ status, code: body.error?.code }).toEqual({ status: code, code });
  const [info, violation] = body.error.details;
  expect(info).toMatchObject({ reason, ...(field && { metadata: { param: field } }) });
  if (field) expect(violation.fieldViolations[0].field).toBe(field);
  return body.error.message;
}
