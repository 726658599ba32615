import { bareBun } from './bare-bun.ts';
import { busbar } from './busbar.ts';
import { crabllm } from './crabllm.ts';
import { ferro } from './ferro.ts';
import { gomodel } from './gomodel.ts';
import { haproxy } from './haproxy.ts';
import { litellm } from './litellm.ts';
import type { Peer } from './peer.ts';
import { portkey } from './portkey.ts';

/** Every peer, the baselines first. */
export const allPeers: readonly Peer[] = [
  haproxy,
  bareBun,
  portkey,
  litellm,
  crabllm,
  gomodel,
  ferro,
  busbar,
];
