import { createServer, request as send } from 'node:http';

/** Starts a server that passes each request on to the target, and keeps the method, the path and the status. */
export async function startRecorder(target) {
  const { hostname, port } = new URL(target);
  const seen = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const path = url.split('?')[0];
    const forwarded = send({ hostname, port, method, path: url, headers }, (answer) => {
      seen.push(`${method} ${path} ${answer.statusCode}`);
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Returns what was seen since the last call. */
    take: () => seen.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
