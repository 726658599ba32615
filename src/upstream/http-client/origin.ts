export type Origin = {
  /** Connections of one key are as good as each other. */
  key: string;
  isTls: boolean;
  /** A name, or an address without brackets. */
  hostname: string;
  port: number;
};

export const originOf = ({ protocol, hostname, port, origin }: URL): Origin => {
  const isTls = protocol === 'https:';
  return {
    key: origin,
    isTls,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
  };
};
