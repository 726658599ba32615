/** A port that was free a moment ago: the kernel hands ports out in turn, so it stays so for long enough. */
export function findFreePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
