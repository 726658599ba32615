import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * Sends request targets as they are spelled, which HTTP clients do not. Returns the status of each answer, or
 * 0 for a closed connection.
 */
export async function sendTargets(spellings, { parallel = 8, ...place }) {
  const statuses = new Array(spellings.length);
  let next = 0;
  const work = async () => {
    for (let index = next++; index < spellings.length; index = next++)
      statuses[index] = await sendTarget(spellings[index], place);
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return statuses;
}

function sendTarget(target, { port, host, authority, headers = {} }) {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, servername: host, ca: authority };
    const socket = (authority ? connectTls : connect)(options, () => {
      const lines = Object.entries({ host, connection: 'close', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(Buffer.from(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'));
    });
    let text = '';
    socket.on('data', (part) => {
      text += part.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
  });
}
