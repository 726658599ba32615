import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { listenFaultOf } from './listen-fault-of.ts';

/**
 * Returns the error for an address of clients on which nothing can listen. A port in use keeps its error,
 * since the command knows the options that choose the port.
 */
export function listenProblem(address: string, error: unknown): unknown {
  const fault = codeOfError(error) === 'EADDRINUSE' ? undefined : listenFaultOf(error);
  return fault ? new Unavailable(`The address ${address} ${fault.message}`, fault.usualMend, error) : error;
}

/** Returns the error for an address of operators on which nothing can listen. */
export function operatorsListenProblem(address: string, error: unknown): unknown {
  const mend = 'choose another server.admin_listen';
  if (codeOfError(error) === 'EADDRINUSE')
    return new Unavailable(`The address ${address} is in use`, `${mend}, or stop the program that uses it`);
  const fault = listenFaultOf(error);
  return fault ? new Unavailable(`The address ${address} ${fault.message}`, mend, error) : error;
}
