import { answerStatus, HIDDEN, streamed, type UpstreamAnswer } from './recording-upstream.ts';

const text = (body: string, type: string): UpstreamAnswer => {
  return () => new Response(body, { headers: { 'content-type': type, server: HIDDEN } });
};
const json = (body: string) => text(body, 'application/json');

/** Cuts the connection in the middle of a body that announced more. */
const cut: UpstreamAnswer = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"choices": ['));
        setTimeout(() => controller.error(new Error('cut')), 10);
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  );

/** The statuses of failures. */
export const REFUSALS = [401, 403, 404, 408, 429, 500, 502, 503, 504, 529];

/** Answers with a failing status, which another target may not return. */
export const failingStatuses: Record<string, UpstreamAnswer> = Object.fromEntries(
  REFUSALS.map((status) => [`status ${status}`, answerStatus(status)]),
);

/** Invalid answers with status 200. */
export const brokenAnswers: Record<string, UpstreamAnswer> = {
  'malformed JSON': json('{"choices": [{'),
  'an empty body': json(''),
  'JSON without choices': json(`{"object": "${HIDDEN}"}`),
  'a list of no choices': json('{"object": "chat.completion", "choices": []}'),
  'a choice without a message': json('{"choices": [{"index": 0, "finish_reason": "stop"}]}'),
  'an error in place of an answer': json(`{"error": {"message": "${HIDDEN}"}}`),
  'a page for people': text(`<html>${HIDDEN}</html>`, 'text/html'),
  'a redirect': () => Response.redirect(`http://127.0.0.1:9/${HIDDEN}`, 307),
  'a status of 204': () => new Response(null, { status: 204 }),
  'half a body': cut,
};

const roleOnly = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n`;
const error = `data: {"error":{"message":"${HIDDEN}","code":500}}\n\n`;

/** Streams of status 200 that fail before their first part. */
export const brokenStreams: Record<string, UpstreamAnswer> = {
  'a stream of nothing': () => streamed(''),
  'a stream that is not JSON': () => streamed('data: {"choices": [{\n\n'),
  'a stream that begins with an error': () => streamed(error),
  'a stream of a role and then an error': () => streamed(roleOnly + error),
  'a stream that ends after the role': () => streamed(roleOnly),
};
