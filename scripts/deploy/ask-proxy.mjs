import { request } from 'node:https';

/**
 * Sends a request through a proxy. `from` is the client's address: every address of 127.0.0.0/8 is this
 * machine. `onPart` is called with the text received so far. Without an `agent` the connection is a new one.
 */
export function askProxy({ port, host, authority }, path, options = {}) {
  const { method = 'GET', headers = {}, body, from = '127.0.0.1', agent = false, onPart } = options;
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      servername: host,
      ca: authority,
      localAddress: from,
      agent,
      method,
      path,
      headers: { host: `${host}:${port}`, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => {
        text += part;
        onPart?.(text);
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    sent.end(body);
  });
}
