/**
 * Returns a port that was just free. The kernel assigns ports in turn, so the port stays free long enough.
 */
export function findFreePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
