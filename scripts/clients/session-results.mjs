import { wires } from './wires.mjs';

function stateOf({ problem, reason }) {
  if (reason) return '–';
  return problem ? 'FAILED' : 'ok';
}

const columns = wires.map(({ id }) => id);

/** Returns the table of clients and wires, as Markdown. */
export function tableOf(results) {
  const lines = results.flatMap(({ client, version, rows = [] }) =>
    rows.map(({ protocol, cells }) => {
      const name = version ? `${client.name} ${version}` : client.name;
      return `| ${[name, protocol, ...cells.map(stateOf)].join(' | ')} |`;
    }),
  );
  const head = ['client', 'protocol', ...columns];
  return [`| ${head.join(' | ')} |`, `|${' - |'.repeat(head.length)}`, ...lines].join('\n');
}

/** Returns the reasons of all cells that are not ok, each with the end of the client's output. */
export function problemsOf(results) {
  const lastLines = (output = '') => output.trim().split('\n').slice(-40).join('\n').replace(/^/gm, '    ');
  return results.flatMap(({ client, problem, reason, rows = [] }) => [
    ...(problem || reason ? [`${client.name}: ${problem ?? reason}`] : []),
    ...rows.flatMap(({ protocol, cells }) =>
      cells.flatMap(({ wire, problem, reason, output }) => {
        if (!problem && !reason) return [];
        const place = `${client.name}, ${protocol}, ${wire}: ${problem ?? reason}`;
        return [problem ? `${place}\n${lastLines(output)}` : place];
      }),
    ),
  ]);
}

/**
 * Counts the sessions that passed, failed and were skipped.
 * A client that could not be installed counts as one.
 */
export function countsOf(results) {
  const states = results.flatMap(({ rows = [], ...whole }) =>
    whole.problem || whole.reason ? [stateOf(whole)] : rows.flatMap(({ cells }) => cells.map(stateOf)),
  );
  const count = (wanted) => states.filter((state) => state === wanted).length;
  return { passed: count('ok'), failed: count('FAILED'), skipped: count('–') };
}
