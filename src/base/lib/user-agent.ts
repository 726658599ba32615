import packageFile from '../../../package.json' with { type: 'json' };

/**
 * The user agent that the gateway sends to providers. An operator can override it in the `headers` of a
 * provider's row.
 */
export const USER_AGENT = `tollgate/${packageFile.version}`;
