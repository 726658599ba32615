/** Simulated upstreams have IP addresses. */
export async function lookup(name: string): Promise<never> {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}
