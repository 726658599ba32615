import type { ProtocolId } from '../../canonical/protocol-id.ts';

export const PROTOCOL = 'chat-completions' satisfies ProtocolId;
