export * from 'node:crypto';
export { randomBytes, randomUuid as randomUUID } from '../kernel/random-bytes.ts';
