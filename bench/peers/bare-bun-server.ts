// A minimal proxy on this runtime: it reads a request, forwards it and returns the answer.
// A separate process: `bare-bun-server.ts PORT UPSTREAM_PORT`.

function serve(port: number, upstreamPort: number) {
  const upstream = `http://127.0.0.1:${upstreamPort}`;
  const forward = async (request: Request) => {
    const body = await request.text();
    const { pathname } = new URL(request.url);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer bench-key' };
    const answer = await fetch(upstream + pathname, { method: 'POST', headers, body });
    const contentType = answer.headers.get('content-type') ?? 'application/octet-stream';
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': contentType } });
  };
  Bun.serve({ hostname: '127.0.0.1', port, fetch: forward, idleTimeout: 0 });
}

if (import.meta.main) serve(Number(process.argv[2]), Number(process.argv[3]));
