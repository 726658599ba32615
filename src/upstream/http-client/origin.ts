/** The host of a URL, as a socket connects to it. */
export type Origin = {
  /** Connections with the same key are interchangeable. */
  key: string;
  isTls: boolean;
  /** A host name, or an IP address without brackets. */
  hostname: string;
  port: number;
};

/** Returns the origin of an http or https URL. */
export const originOf = ({ protocol, hostname, port, origin }: URL): Origin => {
  const isTls = protocol === 'https:';
  return {
    key: origin,
    isTls,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isTls ? 443 : 80)),
  };
};
