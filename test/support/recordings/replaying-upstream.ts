import type { Json } from '../call.ts';
import { streamBytes } from './frame-recording.ts';
import type { FailureRecording, Recording } from './recording.ts';

const streamTypes: Partial<Record<Recording['wire'], string>> = {
  'bedrock-converse': 'application/vnd.amazon.eventstream',
};

/** Answers each request with the recording that its model is called after, on every wire. */
export function startReplayingUpstream(recordings: readonly (Recording | FailureRecording)[]) {
  let lastBody = '';
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    async fetch(request) {
      lastBody = await request.text();
      const recording = recordings[numberOf(request.url, lastBody)]!;
      return recording.stream
        ? new Response(streamBytes(recording), { headers: { 'content-type': streamTypeOf(recording) } })
        : new Response(recording.lines[0], {
            status: statusOf(recording),
            headers: { 'content-type': 'application/json' },
          });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    lastBody: () => lastBody,
    stop: () => server.stop(true),
  };
}

const statusOf = (recording: Recording | FailureRecording): number =>
  ('facts' in recording && 'code' in recording.facts && recording.facts.status) || 200;

const streamTypeOf = ({ wire }: Recording): string => streamTypes[wire] ?? 'text/event-stream';

export const upstreamModelOf = (index: number): string => `recorded-${index}`;

/** Some wires name the model in the path. */
function numberOf(url: string, body: string): number {
  const model =
    /recorded-\d+/.exec(new URL(url).pathname)?.[0] ?? ((JSON.parse(body) as Json).model as string);
  return Number(model.slice('recorded-'.length));
}
