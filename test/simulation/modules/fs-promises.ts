import * as fs from 'node:fs';
import { stage } from '../kernel/stage.ts';
import { SimulatedFile } from './simulated-file.ts';

/** Makes a function that works at once, and whose answer takes simulated time. */
const later =
  <Values extends unknown[], Result>(work: (...values: Values) => Result) =>
  async (...values: Values): Promise<Result> => {
    const { simulation } = stage;
    await simulation.sleep(simulation.host.disk?.delayMs() ?? 0, `disk ${work.name}`);
    return work(...values);
  };

export const access = later(fs.accessSync);
export const link = later(fs.linkSync);
export const mkdir = later(fs.mkdirSync);
export const readdir = later(fs.readdirSync);
export const readFile = later(fs.readFileSync);
export const realpath = later(fs.realpathSync);
export const rename = later(fs.renameSync);
export const rm = later(fs.rmSync);
export const rmdir = later(fs.rmdirSync);
export const stat = later(fs.statSync);
export const unlink = later(fs.unlinkSync);
export const writeFile = later(fs.writeFileSync);

const GIGABYTE = 1024 ** 3;

/** The space of the simulated disk. */
export const statfs = later(function statfs() {
  const isFull = stage.simulation.host.disk?.state === 'full';
  return { bsize: 1, bavail: isFull ? 0 : 100 * GIGABYTE };
});

export const open = later(function open(path: string, flags: string | number = 'r', mode?: number) {
  return new SimulatedFile(fs.openSync(path, flags, mode), path);
});
