/** The connection ended. Whether its last statements ran is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = '08006';
}
