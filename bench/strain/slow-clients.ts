import type { Attack } from './attack.ts';
import { beginRequest, CHAT } from './strained-client.ts';
import { chatBody, longBody } from './straining-bodies.ts';

const WITHHOLDING_CLIENTS = 1_500;
const WITHHELD_MS = 8_000;
const STALLED_READERS = 500;
const STALLED_MS = 12_000;
const DRIP_EVERY_MS = 100;

/** Sends bodies without their last byte. */
export const withheldBodies: Attack = async (gateway) => {
  const body = longBody(250_000);
  const beginning = { path: CHAT, body: body.slice(0, -1), contentLength: body.length };
  const sockets = Array.from({ length: WITHHOLDING_CLIENTS }, () => beginRequest(gateway, beginning));
  await Bun.sleep(WITHHELD_MS);
  for (const socket of sockets) socket.destroy();
  return '';
};

/** Sends nine large bodies slowly, while another account sends a body of 1 MB. */
export const tricklingUploads: Attack = async (gateway) => {
  const beginning = { path: CHAT, body: ' '.repeat(300_000), contentLength: 9_900_000 };
  const sockets = Array.from({ length: 9 }, () => beginRequest(gateway, beginning));
  const drip = setInterval(() => {
    for (const socket of sockets) socket.write(' '.repeat(7_000));
  }, DRIP_EVERY_MS);
  await Bun.sleep(1_000);
  const sentAt = performance.now();
  const answer = await fetch(gateway.url + CHAT, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.bystander}` },
    body: longBody(1_000_000),
  });
  await answer.text();
  const tookMs = performance.now() - sentAt;
  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
  return `a bystander's body of 1 MB: ${answer.status} after ${tookMs.toFixed(0)} ms`;
};

/** Requests long streams, and reads only their beginning. */
export const stalledReaders: Attack = async (gateway) => {
  const body = chatBody({ model: 'stream-24', stream: true });
  const request = { path: CHAT, body, contentLength: body.length };
  const sockets = Array.from({ length: STALLED_READERS }, () => beginRequest(gateway, request));
  for (const socket of sockets) socket.once('data', () => socket.pause());
  await Bun.sleep(STALLED_MS);
  for (const socket of sockets) socket.destroy();
  return '';
};
