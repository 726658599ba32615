import type { Environment } from '../../base/lib/environment.ts';

/** The protocols for which the environment names a proxy. The environment may also name exceptions. */
export type Proxies = { http: boolean; https: boolean };

export function proxiesOf(environment: Environment): Proxies {
  const names = (name: string) => Boolean(environment[name] || environment[name.toUpperCase()]);
  return {
    http: names('http_proxy') || names('all_proxy'),
    https: names('https_proxy') || names('all_proxy'),
  };
}
