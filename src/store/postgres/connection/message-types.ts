// The types of the server's messages, and the states of a transaction that it reports, each as its byte.

const byteOf = (letter: string): number => letter.charCodeAt(0);

export const AUTHENTICATION = byteOf('R');
export const PARAMETER_STATUS = byteOf('S');
export const BACKEND_KEY = byteOf('K');
export const DATA_ROW = byteOf('D');
export const PARSE_COMPLETE = byteOf('1');
export const COMMAND_COMPLETE = byteOf('C');
export const READY = byteOf('Z');
export const ROW_DESCRIPTION = byteOf('T');
export const ERROR = byteOf('E');
export const NOTIFICATION = byteOf('A');

/** No transaction is open. */
export const IDLE = byteOf('I');
/** A transaction is open, and none of its statements failed. */
export const IN_TRANSACTION = byteOf('T');
