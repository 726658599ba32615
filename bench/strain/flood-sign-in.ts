import { connect, type Socket } from 'node:net';

// Sends sign-ins with wrong passwords over 400 connections, as if from the 256 networks of one IPv6 /56,
// until it is stopped. It uses at most half a core, so that the figures are those of the gateway.

const CONNECTIONS = 400;
const NETWORKS = 256;
const TICK_MS = 5;
const MAX_CPU = 0.5;
const port = Number(process.env.FLOOD_PORT);

let sent = 0;
const idle: Socket[] = [];

function request(): string {
  const index = sent++;
  const body = JSON.stringify({ email: `nobody-${index}@example.com`, password: 'a wrong password' });
  const network = (index % NETWORKS).toString(16).padStart(2, '0');
  return [
    ...['POST /dashboard/v1/session/sign-in HTTP/1.1', `host: 127.0.0.1:${port}`],
    ...[`origin: http://127.0.0.1:${port}`, `x-forwarded-for: 2001:db8:0:1${network}::1`],
    ...[`content-length: ${body.length}`, '', body],
  ].join('\r\n');
}

function open(): void {
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => idle.push(socket));
  socket.on('data', (bytes) => {
    if (bytes.includes('HTTP/1.1 ')) idle.push(socket);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    const place = idle.indexOf(socket);
    if (place >= 0) idle.splice(place, 1);
    setTimeout(open, 100);
  });
}

const began = performance.now();
for (let index = 0; index < CONNECTIONS; index++) open();
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1_000 > (performance.now() - began) * MAX_CPU) return;
  for (const socket of idle.splice(0)) socket.write(request());
}, TICK_MS);
