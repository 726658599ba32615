import { Refusal } from '../../base/errors/refusal.ts';

/** Makes clients that try a WebSocket first continue over HTTP. */
export const noSocket = (headers: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal('upgrade_required', { headers: { ...headers, upgrade: 'HTTP/1.1', connection: 'upgrade' } });
