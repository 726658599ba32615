// Measures the CPU time of browsers.
// A browser does not wait for its processes at its end, so the shell's `times` lacks them.
import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_EVERY_MS = 250;
/** Linux counts CPU time in ticks of 1/100 s in /proc, whatever the kernel's own tick is. */
const TICK_MS = 10;

/** The ticks of CPU time: first by the pid of the command, then by the pid of the browser. */
const ticksByCommand = new Map();

/** Starts to sample the processes of the machine, where the system shows them. */
export function watchBrowsers() {
  setInterval(sampleProcesses, SAMPLE_EVERY_MS).unref();
}

/** Adds a command to those whose browsers are measured. */
export const measureBrowsers = (pid) => ticksByCommand.set(pid, new Map());

/** Returns the CPU time of the browsers of a command in milliseconds. */
export function browserCpuMs(pid) {
  const browsers = ticksByCommand.get(pid)?.values() ?? [];
  return [...browsers].reduce((sum, ticks) => sum + ticks * TICK_MS, 0);
}

function sampleProcesses() {
  const processes = readProcesses();
  const sampled = new Map();
  for (const [pid, { ticks, isOfBrowser }] of processes) {
    if (!isOfBrowser) continue;
    const ancestors = ancestorsOf(processes, pid);
    // The shell waits for the browser's own process, so its time is known already.
    const browser = ancestors.find((ancestor) => !processes.get(ancestor).isOfBrowser);
    const command = ancestors.find((ancestor) => ticksByCommand.has(ancestor));
    if (command === undefined) continue;
    sampled.set(browser, { command, ticks: (sampled.get(browser)?.ticks ?? 0) + ticks });
  }
  // At the end of a browser, only some of its processes are left for a while.
  for (const [browser, { command, ticks }] of sampled) {
    const browsers = ticksByCommand.get(command);
    browsers.set(browser, Math.max(browsers.get(browser) ?? 0, ticks));
  }
}

/** Returns the pids of a process's parent, of that one's parent, and so on. */
function ancestorsOf(processes, pid) {
  const ancestors = [];
  for (let next = processes.get(pid)?.parent; processes.has(next); next = processes.get(next).parent)
    ancestors.push(next);
  return ancestors;
}

/** Reads all processes. `isOfBrowser` is true for each process of a browser except its own. */
function readProcesses() {
  const processes = new Map();
  for (const pid of listPids()) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses can itself contain parentheses and spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // utime, stime, cutime and cstime of proc(5): the process and the children that it has waited for.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      const isOfBrowser =
        /\((chrom|headless|zygote)/i.test(stat) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=');
      processes.set(Number(pid), { parent: Number(fields[1]), ticks, isOfBrowser });
    } catch {
      // The process has ended.
    }
  }
  return processes;
}

function listPids() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
