import { createServer, request as send } from 'node:http';

/**
 * Starts a server that passes each request and WebSocket on to the target, and keeps the method, the path and
 * the status.
 */
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
  server.on('upgrade', (incoming, client, head) => {
    const { method, url, headers } = incoming;
    const record = (status) => seen.push(`${method} ${url.split('?')[0]} ${status}`);
    const forwarded = send({ hostname, port, method, path: url, headers });
    forwarded.on('upgrade', (answer, upstream, rest) => {
      record(answer.statusCode);
      client.write(headOf(answer));
      upstream.write(head);
      client.write(rest);
      upstream.pipe(client).pipe(upstream);
      for (const side of [upstream, client]) side.on('error', () => client.destroy());
    });
    forwarded.on('response', (answer) => {
      record(answer.statusCode);
      client.write(headOf(answer));
      answer.pipe(client);
    });
    forwarded.on('error', () => client.destroy());
    forwarded.end();
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

/** Formats the head of an answer in the form of HTTP/1.1. */
function headOf({ statusCode, statusMessage, rawHeaders }) {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
