import { stage } from '../kernel/stage.ts';

export * from 'node:os';

export const hostname = (): string => stage.simulation.host.name;
export const availableParallelism = (): number => 2;
export const totalmem = (): number => 8 * 1024 ** 3;
export const setPriority = (): void => {};
