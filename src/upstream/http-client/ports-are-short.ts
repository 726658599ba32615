import { readFileSync } from 'node:fs';

/** Ports are short from this share in use on. */
const SHORT_FROM_SHARE = 0.5;

/**
 * Reports whether sockets use at least half of the system's ephemeral ports. It reports true if that is
 * unknown.
 */
export function portsAreShort(): boolean {
  try {
    const [first, last] = read('/proc/sys/net/ipv4/ip_local_port_range').trim().split(/\s+/).map(Number);
    const [, open, waiting] = /^TCP: inuse (\d+) orphan \d+ tw (\d+)/m.exec(read('/proc/net/sockstat'))!;
    const open6 = /^TCP6: inuse (\d+)/m.exec(read('/proc/net/sockstat6'))?.[1] ?? 0;
    const inUse = Number(open) + Number(waiting) + Number(open6);
    return inUse >= (last! - first! + 1) * SHORT_FROM_SHARE;
  } catch {
    return true;
  }
}

const read = (file: string): string => readFileSync(file, 'utf8');
