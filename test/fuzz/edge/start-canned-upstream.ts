import { HIDDEN } from '../../support/recording-upstream.ts';
import { BaseAnswers } from '../upstream/base-answers.ts';

/** Starts a healthy upstream. It repeats the first answer for requests of the same kind. */
export function startCannedUpstream() {
  const base = new BaseAnswers();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      const body = await request.text();
      const isStream = /"stream": ?true/.test(body);
      const { bytes, contentType } = await base.answer(`${path} ${isStream}`, { path, body });
      return new Response(Uint8Array.from(bytes), {
        headers: { 'content-type': contentType, server: HIDDEN },
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, port: server.port!, stop: () => server.stop(true) };
}
