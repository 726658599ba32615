import { plainHost } from './plain-host.ts';

/** Reports whether a host is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(plainHost(hostname));
