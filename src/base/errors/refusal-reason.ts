/**
 * The reasons why a request is refused although neither it nor the upstream is at fault. Operators see them
 * in the log, in the record of the request and in `tollgate_refused_total`.
 * - `memory`: no memory was free for the body or the answer in time
 * - `queue`: no slot of a provider became free in time
 * - `overload`: the server sheds load
 * - `drained`: an operator has drained every provider of the model
 * - `store`: the store could not be used
 * - `disk`: the disk is nearly full
 * - `local-resource`: the machine lacked ports, descriptors or threads for the call
 * - `shutdown`: the server is stopping
 */
export type RefusalReason =
  | 'memory'
  | 'queue'
  | 'overload'
  | 'drained'
  | 'store'
  | 'disk'
  | 'local-resource'
  | 'shutdown';
