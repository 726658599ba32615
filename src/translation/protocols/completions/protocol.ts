import type { ProtocolId } from '../../canonical/protocol-id.ts';

export const PROTOCOL = 'completions' satisfies ProtocolId;
