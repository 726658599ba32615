import { parseConnectionUrl } from '../../../store/postgres/connection/parse-connection-url.ts';
import { type Finding, warn } from './finding.ts';

const LOCAL = /^(?:\/|localhost$|127\.|::1$)/;
const UNPROTECTED = { disable: 'has no TLS', prefer: 'may be without TLS' };

/**
 * Warns of a database on another machine whose connections need no TLS. The finding has no part of the login.
 */
export function databaseTlsFindings(url: string): Finding[] {
  const { hosts, sslMode } = parseConnectionUrl(url);
  const remote = hosts.find(({ host }) => !LOCAL.test(host));
  if (remote === undefined || (sslMode !== 'disable' && sslMode !== 'prefer')) return [];
  return [
    warn(
      'database_tls',
      `the connection to the database at ${remote.host} ${UNPROTECTED[sslMode]}, since its sslmode is ${sslMode}`,
      'set sslmode=verify-full, or require, in the URL of the database',
    ),
  ];
}
