import {
  attributesIn,
  type Decoded,
  decodeMessage,
  itemsIn,
  metricsRequest,
  tracesRequest,
} from './otlp-messages.ts';

export type ReceivedSpan = Decoded & { attributes: Decoded; resource: Decoded };

/** Starts a receiver of OTLP over HTTP that keeps what it gets. `answer` replaces its answer. */
export function startOtlpReceiver(answer: (path: string) => Response | undefined = () => undefined) {
  const spans: ReceivedSpan[] = [];
  const metrics: Decoded[] = [];
  const requests: { path: string; headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = new URL(request.url).pathname;
      requests.push({ path, headers: request.headers });
      const bytes = Buffer.from(await request.arrayBuffer());
      const instead = answer(path);
      if (instead) return instead;
      if (request.headers.get('content-type') !== 'application/x-protobuf')
        return new Response(null, { status: 415 });
      if (path.endsWith('/v1/traces'))
        for (const { item, resource } of itemsIn(decodeMessage(bytes, tracesRequest)))
          spans.push({ ...item, attributes: attributesIn(item), resource });
      else if (path.endsWith('/v1/metrics'))
        metrics.push(...itemsIn(decodeMessage(bytes, metricsRequest)).map(({ item }) => item));
      else return new Response(null, { status: 404 });
      return new Response(new Uint8Array(0), { headers: { 'content-type': 'application/x-protobuf' } });
    },
    error: (error) => new Response(String(error), { status: 400 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    metrics,
    requests,
    /** The spans of one request, its own first. */
    traceOf: (requestId: string): ReceivedSpan[] => {
      const own = spans.find(({ attributes }) => attributes['tollgate.request.id'] === requestId);
      return own ? spans.filter(({ traceId }) => traceId === own.traceId) : [];
    },
    /** The latest value of a metric whose attributes include these. */
    latest: (name: string, labels: Decoded = {}): Decoded | undefined =>
      metrics
        .filter((metric) => metric['name'] === name)
        .at(-1)
        ?.[kindOf(name, metrics)].points.find((point: Decoded) =>
          Object.entries(labels).every(([label, value]) => attributesIn(point)[label] === value),
        ),
    stop: () => server.stop(true),
  };
}

const kindOf = (name: string, metrics: readonly Decoded[]): string => {
  const metric = metrics.find((each) => each['name'] === name);
  return ['sum', 'gauge', 'histogram'].find((kind) => metric?.[kind]) ?? 'sum';
};
