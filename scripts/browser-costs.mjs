// Measures the CPU time of browsers.
// A browser does not wait for its processes at its end, so the shell's `times` lacks them.
import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 250;
const TICK_MS = 10;

/** The CPU time of each browser's processes, by the process of the command and the browser's main process. */
const used = new Map();

/** Starts to look at the processes of the machine, where the system shows them. */
export function watchBrowsers() {
  setInterval(look, EVERY_MS).unref();
}

/** Returns the CPU time of the browsers of a command in milliseconds. */
export function browserCpuMs(pid) {
  const browsers = used.get(pid)?.values() ?? [];
  return [...browsers].reduce((sum, ticks) => sum + ticks * TICK_MS, 0);
}

function look() {
  const processes = readProcesses();
  const seen = new Map();
  for (const [pid, { ticks, isOfBrowser }] of processes) {
    if (!isOfBrowser) continue;
    const parents = parentsOf(processes, pid);
    // The shell waits for the main process, so its time is known already.
    const main = parents.find((parent) => !processes.get(parent).isOfBrowser);
    const command = parents.find((parent) => used.has(parent));
    if (command !== undefined) seen.set(main, { command, ticks: (seen.get(main)?.ticks ?? 0) + ticks });
  }
  // At the end of a browser, some of its processes are left for a while.
  for (const [main, { command, ticks }] of seen) {
    const browsers = used.get(command);
    browsers.set(main, Math.max(browsers.get(main) ?? 0, ticks));
  }
}

/** Adds a command to those whose browsers are measured. */
export const measureBrowsers = (pid) => used.set(pid, new Map());

function parentsOf(processes, pid) {
  const parents = [];
  for (let at = processes.get(pid)?.parent; processes.has(at); at = processes.get(at).parent)
    parents.push(at);
  return parents;
}

/** Reads all processes: the parent of each, its own time, and that of the children that it has waited for. */
function readProcesses() {
  const processes = new Map();
  for (const name of listProcesses()) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      const fields = stat.slice(end + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      // Each process of a browser but the main one has a type.
      const isOfBrowser =
        /\((chrom|headless|zygote)/i.test(stat) &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--type=');
      processes.set(Number(name), { parent: Number(fields[1]), ticks, isOfBrowser });
    } catch {
      // It has ended.
    }
  }
  return processes;
}

function listProcesses() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
