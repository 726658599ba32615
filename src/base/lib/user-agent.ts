import packageFile from '../../../package.json' with { type: 'json' };

/** How the gateway introduces itself to providers; an operator can set another in the `headers` of a provider's row. */
export const USER_AGENT = `tollgate/${packageFile.version}`;
