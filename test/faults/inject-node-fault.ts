import { Tab } from '../../src/inference/settlement/tab.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { PostgresGate } from '../../src/store/postgres/gate/postgres-gate.ts';
import { TakenHere } from '../../src/store/postgres/gate/taken-here.ts';
import { PostgresCharges } from '../../src/store/postgres/ledger/postgres-charges.ts';
import { FileSpool } from '../../src/store/spool/file-spool.ts';
import { crashingAt } from './crashing-at.ts';
import { FAULT_VARIABLE } from './fault.ts';
import type { NodeCrashPoint, NodeFault, NodeMutant } from './nodes-kill/node-fault.ts';
import { type Method, wrap } from './wrap-method.ts';

// Preloaded into the program's process, like `inject-fault.ts`. Puts a fault into the Postgres store.

const fault = JSON.parse(process.env[FAULT_VARIABLE] ?? '{}') as NodeFault;
const { crash, before, after } = crashingAt(fault.crash?.passes);

const MAX_ON_THE_WAY_MS = 4;
/** Ends the process while the call is on its way. */
const afterSend = (original: Method): Method =>
  function (...args) {
    const result = original.apply(this, args);
    setTimeout(crash, MAX_ON_THE_WAY_MS * Math.random());
    return result;
  };

const atCall = (name: string, when: typeof before) =>
  wrap(
    Database,
    'first',
    (first) =>
      function (sql: string, ...rest) {
        return (sql.startsWith(`SELECT ${name}(`) ? when(first) : first).call(this, sql, ...rest);
      },
  );

const points: Record<NodeCrashPoint, () => void> = {
  'admission-sent': () => atCall('gate', afterSend),
  'after-admission': () => wrap(PostgresGate, 'admit', after),
  'before-settlement': () => wrap(Tab, 'settle', before),
  'before-settle': () => atCall('settle', before),
  'settle-sent': () => atCall('settle', afterSend),
  'after-settle': () => atCall('settle', after),
  'after-settlement': () => wrap(Tab, 'settle', after),
  'after-last-byte': () => wrap(Tab, 'close', before),
  'before-checkpoint': () => atCall('checkpoint_holds', before),
  'checkpoint-sent': () => atCall('checkpoint_holds', afterSend),
  'after-checkpoint': () => atCall('checkpoint_holds', after),
  'close-node-sent': () => atCall('close_node', afterSend),
  'after-close-node': () => atCall('close_node', after),
  'before-restore': () => atCall('restore', before),
  'restore-sent': () => atCall('restore', afterSend),
  'after-restore': () => atCall('restore', after),
  'after-spooling': () => wrap(FileSpool, 'append', after),
  'after-replay': () => wrap(PostgresCharges, 'replay', after),
};

const mutations: Record<NodeMutant, () => void> = {
  'settles-behind-the-end': () =>
    wrap(
      PostgresCharges,
      'post',
      (post) =>
        async function (posting) {
          setTimeout(() => void post.call(this, posting).catch(() => {}), 50);
        },
    ),
  'restores-nothing': () => wrap(TakenHere, 'scopes', () => () => []),
};

if (fault.crash) points[fault.crash.point]();
if (fault.mutant) mutations[fault.mutant]();
