import { connect, type Socket } from 'node:net';
import { isWithinHalfACore } from './is-within-half-a-core.ts';

// Sends sign-ins with wrong passwords over 400 connections, as if from the 256 networks of one IPv6 /56,
// until it is stopped. It uses at most half a core and leaves the rest of the machine to the gateway.

const CONNECTIONS = 400;
const NETWORKS = 256;
const TICK_MS = 5;
const REOPEN_MS = 100;
const port = Number(process.env.FLOOD_PORT);

/** The connections that wait for no answer. */
const idle = new Set<Socket>();
let sent = 0;

function formatSignIn(): string {
  const index = sent++;
  const body = JSON.stringify({ email: `nobody-${index}@example.com`, password: 'a wrong password' });
  const network = (index % NETWORKS).toString(16).padStart(2, '0');
  const head = [
    'POST /dashboard/v1/session/sign-in HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `origin: http://127.0.0.1:${port}`,
    `x-forwarded-for: 2001:db8:0:1${network}::1`,
    `content-length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function open(): void {
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => idle.add(socket));
  socket.on('data', (bytes) => {
    if (bytes.includes('HTTP/1.1 ')) idle.add(socket);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    idle.delete(socket);
    setTimeout(open, REOPEN_MS);
  });
}

for (let index = 0; index < CONNECTIONS; index++) open();
setInterval(() => {
  if (!isWithinHalfACore()) return;
  for (const socket of idle) socket.write(formatSignIn());
  idle.clear();
}, TICK_MS);
